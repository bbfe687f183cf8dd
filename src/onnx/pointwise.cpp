#include "onnx/operators.hpp"

namespace dlbench::onnx {

std::string export_relu(const NodeExport& node) {
  return node.writer.add("Relu", node.inputs, node.node.name);
}

std::string export_sigmoid(const NodeExport& node) {
  return node.writer.add("Sigmoid", node.inputs, node.node.name);
}

std::string export_tanh(const NodeExport& node) {
  return node.writer.add("Tanh", node.inputs, node.node.name);
}

std::string export_softmax(const NodeExport& node) {
  const std::string output = node.writer.add("Softmax", node.inputs, node.node.name);
  node.writer.integer("axis", -1);
  return output;
}

std::string export_add(const NodeExport& node) {
  return node.writer.add("Add", node.inputs, node.node.name);
}

std::string export_concat(const NodeExport& node) {
  const std::string output = node.writer.add("Concat", node.inputs, node.node.name);
  node.writer.integer("axis", 1);
  return output;
}

std::string export_flatten(const NodeExport& node) {
  const std::string output = node.writer.add("Flatten", node.inputs, node.node.name);
  node.writer.integer("axis", 1);
  return output;
}

std::string export_dropout(const NodeExport& node) {
  return node.inputs.at(0);
}

}  // namespace dlbench::onnx
