// lstm. ONNX wants positions first, blocks of rows in the order i, o, f, c and two biases; an axis of
// directions stands before weights and after the positions of what comes out.
#include <array>

#include "onnx/operators.hpp"

namespace dlbench::onnx {
namespace {

// Ours are i, f, g, o.
constexpr std::array<std::size_t, 4> onnx_blocks = {0, 3, 1, 2};
constexpr std::array<std::int64_t, 3> batch_and_positions = {1, 0, 2};

// [4 hidden, …] with its blocks in ONNX's order, behind an axis of one direction.
model::Tensor reordered(const model::Tensor& tensor) {
  model::Tensor result{tensor.shape, {}};
  result.shape.insert(result.shape.begin(), 1);
  result.values.reserve(tensor.values.size());
  const std::size_t block = tensor.values.size() / onnx_blocks.size();
  for (const std::size_t from : onnx_blocks) {
    const auto begin = tensor.values.begin() + static_cast<std::ptrdiff_t>(from * block);
    result.values.insert(result.values.end(), begin, begin + static_cast<std::ptrdiff_t>(block));
  }
  return result;
}

std::string in_blocks(const NodeExport& node, std::size_t place) {
  return parameter(node, place, reordered(node.weights[place]));
}

// Ours, and one of zeros.
std::string biases(const NodeExport& node, std::size_t place) {
  model::Tensor both = reordered(node.weights[place]);
  both.shape.back() *= 2;
  both.values.resize(both.values.size() * 2, 0.0F);
  return parameter(node, place, both);
}

}  // namespace

std::string export_lstm(const NodeExport& node) {
  const std::string& name = node.node.name;
  Writer& writer = node.writer;
  const std::string positions_first = writer.add("Transpose", {node.inputs.at(0)}, name + ".positions_first");
  writer.integers("perm", batch_and_positions);
  const std::vector<std::string> inputs = {positions_first, in_blocks(node, 0), in_blocks(node, 1),
                                           biases(node, 2)};
  const bool last_only = model::flag(node.node, "last_only");
  const std::string all = name + ".directions";
  writer.add("LSTM", inputs, last_only ? std::vector<std::string>{"", all} : std::vector<std::string>{all});
  writer.integer("hidden_size", model::integer(node.node, "hidden"));
  const std::array<std::int64_t, 1> directions = {last_only ? 0 : 1};
  const std::string axes = writer.integers_constant(name + ".axes", directions);
  if (last_only) {
    return writer.add("Squeeze", {all, axes}, name);
  }
  writer.add("Squeeze", {all, axes}, name + ".by_position");
  writer.add("Transpose", {name + ".by_position"}, name);
  writer.integers("perm", batch_and_positions);
  return name;
}

}  // namespace dlbench::onnx
