// A network with its weights as an ONNX file (onnx.ai, operator set 13): what ONNX Runtime, OpenVINO and
// others read. Inference only: evaluation mode, up to the logits, without the loss.
#pragma once

#include <string>
#include <vector>

#include "model/graph.hpp"
#include "model/tensor.hpp"

namespace dlbench::onnx {

// Names of the graph's input and output in the file.
inline constexpr const char* input_name = "input";
// Nodes have no dot in their names.
inline constexpr const char* logits_name = "network.logits";

// The bytes of the file. The batch extent is symbolic ("batch"); tokens are int64. `weights` in graph order
// and of the shapes that the completed graph says (asserted). Throws base::UserError for an operator that is
// not in exported_ops().
[[nodiscard]] std::string to_onnx(const model::Graph& graph, const model::Weights& weights);

// Operators that can be written, losses included: they are left away.
[[nodiscard]] std::vector<std::string> exported_ops();

}  // namespace dlbench::onnx
