#include "onnx/operators.hpp"

namespace dlbench::onnx {

std::string export_batch_norm(const NodeExport& node) {
  std::vector<std::string> inputs = node.inputs;
  // Ours are scale, shift, mean and variance in this order, as ONNX's inputs.
  for (std::size_t i = 0; i < node.weights.size(); ++i) {
    inputs.push_back(parameter(node, i));
  }
  const std::string output = node.writer.add("BatchNormalization", inputs, node.node.name);
  node.writer.number("epsilon", model::real(node.node, "epsilon"));
  return output;
}

// ONNX divides alpha by the number of channels in the sum.
std::string export_lrn(const NodeExport& node) {
  const std::int64_t size = model::integer(node.node, "size");
  const std::string output = node.writer.add("LRN", node.inputs, node.node.name);
  node.writer.integer("size", size)
      .number("alpha", model::real(node.node, "alpha") * static_cast<double>(size))
      .number("beta", model::real(node.node, "beta"))
      .number("bias", model::real(node.node, "k"));
  return output;
}

}  // namespace dlbench::onnx
