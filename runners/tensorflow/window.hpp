// How the windows of the graph are said in TensorFlow's attributes.
#pragma once

#include "graph.hpp"
#include "model/graph.hpp"
#include "model/windows.hpp"

namespace runner {

// What "explicit_paddings" and the operator Pad want for NHWC, from [top, left, bottom, right].
[[nodiscard]] Extents nhwc_pads(const Extents& pads);

// Sets padding and strides; SAME and VALID where they give the windows, else EXPLICIT.
void set_window(Op& op, const dlbench::model::Node& node, const dlbench::model::Windows& windows);

}  // namespace runner
