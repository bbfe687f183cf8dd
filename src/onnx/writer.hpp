// What the exporters of single operators write into: nodes, attributes, constants. Thin over protobuf's
// classes.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/graph.hpp"
#include "model/tensor.hpp"

namespace dlbench::onnx {

class Writer {
 public:
  explicit Writer(::onnx::GraphProto& graph) : graph_(graph) {}

  // A node of one output, whose name it returns; attributes are added to `last()`.
  std::string add(const std::string& op_type, const std::vector<std::string>& inputs,
                  const std::string& output);
  // A node of several outputs; an empty name is one that nobody reads.
  void add(const std::string& op_type, const std::vector<std::string>& inputs,
           const std::vector<std::string>& outputs);

  // Attributes of the node that was added last.
  Writer& integer(const std::string& name, std::int64_t value);
  Writer& number(const std::string& name, double value);
  Writer& integers(const std::string& name, std::span<const std::int64_t> values);

  // Constants; they return their name.
  std::string floats(const std::string& name, const model::Tensor& tensor);
  std::string integers_constant(const std::string& name, std::span<const std::int64_t> values);

 private:
  ::onnx::AttributeProto& attribute(const std::string& name, ::onnx::AttributeProto_AttributeType type);

  ::onnx::GraphProto& graph_;
};

// One node of the network on its way into the file.
struct NodeExport {
  const model::Node& node;
  std::vector<std::string> inputs;         // names of values in the file
  std::vector<model::Shape> input_shapes;  // without the batch extent
  std::span<const model::Tensor> weights;  // of the node's parameters, in their order
  Writer& writer;
};

// A parameter of the node as a constant of its name: as it is, or `instead` of it.
std::string parameter(const NodeExport& node, std::size_t place);
std::string parameter(const NodeExport& node, std::size_t place, const model::Tensor& instead);

// Writes the node and returns the name of its output, which is the node's own unless it computes nothing.
using Exporter = std::string (*)(const NodeExport& node);

}  // namespace dlbench::onnx
