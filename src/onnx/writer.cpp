#include "onnx/writer.hpp"

namespace dlbench::onnx {

std::string Writer::add(const std::string& op_type, const std::vector<std::string>& inputs,
                        const std::string& output) {
  add(op_type, inputs, std::vector<std::string>{output});
  return output;
}

void Writer::add(const std::string& op_type, const std::vector<std::string>& inputs,
                 const std::vector<std::string>& outputs) {
  ::onnx::NodeProto& node = *graph_.add_node();
  node.set_op_type(op_type);
  node.set_name(outputs.back().empty() ? outputs.front() : outputs.back());
  for (const std::string& input : inputs) {
    node.add_input(input);
  }
  for (const std::string& output : outputs) {
    node.add_output(output);
  }
}

::onnx::AttributeProto& Writer::attribute(const std::string& name,
                                          ::onnx::AttributeProto_AttributeType type) {
  ::onnx::AttributeProto& added = *graph_.mutable_node(graph_.node_size() - 1)->add_attribute();
  added.set_name(name);
  added.set_type(type);
  return added;
}

Writer& Writer::integer(const std::string& name, std::int64_t value) {
  attribute(name, ::onnx::AttributeProto_AttributeType_INT).set_i(value);
  return *this;
}

Writer& Writer::number(const std::string& name, double value) {
  attribute(name, ::onnx::AttributeProto_AttributeType_FLOAT).set_f(static_cast<float>(value));
  return *this;
}

Writer& Writer::integers(const std::string& name, std::span<const std::int64_t> values) {
  ::onnx::AttributeProto& added = attribute(name, ::onnx::AttributeProto_AttributeType_INTS);
  for (const std::int64_t value : values) {
    added.add_ints(value);
  }
  return *this;
}

std::string Writer::floats(const std::string& name, const model::Tensor& tensor) {
  ::onnx::TensorProto& added = *graph_.add_initializer();
  added.set_name(name);
  added.set_data_type(::onnx::TensorProto_DataType_FLOAT);
  for (const std::int64_t extent : tensor.shape) {
    added.add_dims(extent);
  }
  // Little-endian, as the format wants it and every machine that dlbench knows has it.
  added.set_raw_data(tensor.values.data(), tensor.values.size() * sizeof(float));
  return name;
}

std::string Writer::integers_constant(const std::string& name, std::span<const std::int64_t> values) {
  ::onnx::TensorProto& tensor = *graph_.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(::onnx::TensorProto_DataType_INT64);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  tensor.set_raw_data(values.data(), values.size_bytes());
  return name;
}

std::string parameter(const NodeExport& node, std::size_t place) {
  return parameter(node, place, node.weights[place]);
}

std::string parameter(const NodeExport& node, std::size_t place, const model::Tensor& instead) {
  return node.writer.floats(node.node.parameters[place].name, instead);
}

}  // namespace dlbench::onnx
