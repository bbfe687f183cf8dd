#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/detail/window.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

// Input channels that one output channel reads; throws where the table is none.
std::int64_t readings(const Node& node, std::int64_t in_channels) {
  const std::vector<std::int64_t>& table = integers(node, "table");
  const std::int64_t out = integer(node, "out_channels");
  const auto count = static_cast<std::int64_t>(table.size());
  if (out < 1 || count < 1 || count % out != 0) {
    throw base::UserError(
        fmt::format("its table has {} entries, must have as many for each of {} channels", count, out));
  }
  if (std::ranges::any_of(table, [&](std::int64_t in) { return in < 0 || in >= in_channels; })) {
    throw base::UserError(fmt::format("its table names input channels outside 0 … {}", in_channels - 1));
  }
  return count / out;
}

// A channel read twice would be two weights that only their sum could tell apart.
void check_table(const Node& node, std::int64_t in_channels) {
  const std::int64_t count = readings(node, in_channels);
  std::vector<std::int64_t> table = integers(node, "table");
  for (auto row = table.begin(); row != table.end(); row += count) {
    std::sort(row, row + count);
    if (std::adjacent_find(row, row + count) != row + count) {
      throw base::UserError("its table names an input channel twice for one output channel");
    }
  }
}

std::int64_t output_extent(const Node& node, const Shape& input, std::size_t axis) {
  const std::int64_t kernel = integers(node, "kernel")[axis];
  if (kernel > input[axis + 1]) {
    throw base::UserError(
        fmt::format("its kernel covers {} cells but the input has only {}", kernel, input[axis + 1]));
  }
  return (input[axis + 1] - kernel) / integers(node, "stride")[axis] + 1;
}

Shape output_shape(const Node& node, const std::vector<Shape>& inputs) {
  check_image(inputs[0]);
  check_window_attribute(node, "kernel", 2, 1);
  check_window_attribute(node, "stride", 2, 1);
  check_table(node, inputs[0][0]);
  return {integer(node, "out_channels"), output_extent(node, inputs[0], 0),
          output_extent(node, inputs[0], 1)};
}

std::vector<Parameter> table_parameters(const Node& node, const std::vector<Shape>& inputs) {
  const std::int64_t out = integer(node, "out_channels");
  const std::vector<std::int64_t>& kernel = integers(node, "kernel");
  const Shape shape = {out, readings(node, inputs[0][0]), kernel[0], kernel[1]};
  const std::int64_t cells = kernel[0] * kernel[1];
  const std::int64_t fan_out = std::max<std::int64_t>(1, out * shape[1] / inputs[0][0]) * cells;
  return {{node.name + ".weight", ParameterRole::weight, shape, shape[1] * cells, fan_out},
          {node.name + ".bias", ParameterRole::bias, {out}, shape[1] * cells, fan_out}};
}

std::int64_t macs(const Node& node, const std::vector<Shape>& inputs) {
  return element_count(node.output_shape) * table_parameters(node, inputs).front().fan_in;
}

Graph test_graph(const std::string& name, const Shape& input, Attributes attributes) {
  return Builder(name, input)
      .add("conv", "conv2d", {{"out_channels", count(4)}, {"kernel", extents({1, 1})}})
      .add("map", "conv_table", std::move(attributes))
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(3)}})
      .finish();
}

std::vector<Graph> test_graphs() {
  return {
      test_graph("conv_table_pairs", {2, 6, 5},
                 {{"out_channels", count(5)},
                  {"kernel", extents({3, 2})},
                  {"table", extents({0, 2, 3, 1, 1, 2, 0, 3, 2, 1})}}),
      test_graph("conv_table_stride", {2, 7, 6},
                 {{"out_channels", count(3)},
                  {"kernel", extents({2, 2})},
                  {"stride", extents({2, 3})},
                  {"table", extents({3, 0, 1})}}),
  };
}

}  // namespace

OpSpec conv_table_spec() {
  OpSpec spec;
  spec.name = "conv_table";
  spec.definition =
      "convolution with a connection table: output channel o reads the input channels table[o * n … o * n + "
      "n - 1]; W is [out, n, kh, kw] in the table's order; with bias, without pads";
  spec.attributes = {
      {"out_channels", AttributeKind::integer, std::nullopt, "number of output channels"},
      {"kernel", AttributeKind::integers, std::nullopt, "[height, width] of the kernel in cells"},
      {"stride", AttributeKind::integers, extents({1, 1}), "[height, width] step of the kernel in cells"},
      {"table", AttributeKind::integers, std::nullopt,
       "n input channels for each output channel, counted from 0, none twice for one output"},
  };
  spec.output_shape = output_shape;
  spec.parameters = table_parameters;
  spec.macs = macs;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
