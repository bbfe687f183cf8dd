#include "onnx/operators.hpp"

namespace dlbench::onnx {
namespace {

// [out, in] -> [in, out]
model::Tensor transposed(const model::Tensor& weight) {
  const auto rows = static_cast<std::size_t>(weight.shape.at(0));
  const auto columns = static_cast<std::size_t>(weight.shape.at(1));
  model::Tensor result{{weight.shape[1], weight.shape[0]}, std::vector<float>(weight.values.size())};
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      result.values[column * rows + row] = weight.values[row * columns + column];
    }
  }
  return result;
}

// Gemm takes matrices only.
std::string for_each_position(const NodeExport& node) {
  const bool has_bias = node.weights.size() > 1;
  const std::string product =
      node.writer.add("MatMul", {node.inputs.at(0), parameter(node, 0, transposed(node.weights[0]))},
                      has_bias ? node.node.name + ".product" : node.node.name);
  return has_bias ? node.writer.add("Add", {product, parameter(node, 1)}, node.node.name) : product;
}

}  // namespace

std::string export_dense(const NodeExport& node) {
  if (node.input_shapes.at(0).size() > 1) {
    return for_each_position(node);
  }
  std::vector<std::string> inputs = {node.inputs.at(0), parameter(node, 0)};
  if (node.weights.size() > 1) {
    inputs.push_back(parameter(node, 1));
  }
  const std::string output = node.writer.add("Gemm", inputs, node.node.name);
  node.writer.integer("transB", 1);
  return output;
}

std::string export_embedding(const NodeExport& node) {
  return node.writer.add("Gather", {parameter(node, 0), node.inputs.at(0)}, node.node.name);
}

}  // namespace dlbench::onnx
