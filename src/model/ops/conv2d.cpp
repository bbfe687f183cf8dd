#include <fmt/format.h>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/detail/window.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

// Output extent along one axis (0: height, 1: width); pads are [top, left, bottom, right].
std::int64_t output_extent(const Node& node, const Shape& input, std::size_t axis) {
  const std::int64_t padded =
      input[axis + 1] + integers(node, "pads")[axis] + integers(node, "pads")[axis + 2];
  const std::int64_t reach = integers(node, "dilation")[axis] * (integers(node, "kernel")[axis] - 1) + 1;
  if (reach > padded) {
    throw base::UserError(
        fmt::format("its kernel covers {} cells but the padded input has only {}", reach, padded));
  }
  return (padded - reach) / integers(node, "stride")[axis] + 1;
}

Shape output_shape(const Node& node, const std::vector<Shape>& inputs) {
  check_image(inputs[0]);
  check_window_attribute(node, "kernel", 2, 1);
  check_window_attribute(node, "stride", 2, 1);
  check_window_attribute(node, "dilation", 2, 1);
  check_window_attribute(node, "pads", 4, 0);
  const std::int64_t out_channels = integer(node, "out_channels");
  const std::int64_t groups = integer(node, "groups");
  if (out_channels < 1 || groups < 1) {
    throw base::UserError("out_channels and groups must be at least 1");
  }
  if (inputs[0][0] % groups != 0 || out_channels % groups != 0) {
    throw base::UserError(fmt::format("{} groups do not divide {} input channels and {} output channels",
                                      groups, inputs[0][0], out_channels));
  }
  return {out_channels, output_extent(node, inputs[0], 0), output_extent(node, inputs[0], 1)};
}

std::vector<Parameter> conv_parameters(const Node& node, const std::vector<Shape>& inputs) {
  const std::int64_t out = integer(node, "out_channels");
  const std::int64_t groups = integer(node, "groups");
  const std::vector<std::int64_t>& kernel = integers(node, "kernel");
  const Shape shape = {out, inputs[0][0] / groups, kernel[0], kernel[1]};
  const std::int64_t fan_in = shape[1] * kernel[0] * kernel[1];
  const std::int64_t fan_out = out / groups * kernel[0] * kernel[1];
  std::vector<Parameter> result = {{node.name + ".weight", ParameterRole::weight, shape, fan_in, fan_out}};
  if (flag(node, "bias")) {
    result.push_back({node.name + ".bias", ParameterRole::bias, {out}, fan_in, fan_out});
  }
  return result;
}

std::int64_t macs(const Node& node, const std::vector<Shape>& inputs) {
  return element_count(node.output_shape) * conv_parameters(node, inputs).front().fan_in;
}

Graph test_graph(const std::string& name, const Shape& input, Attributes attributes) {
  return Builder(name, input)
      .add("conv", "conv2d", std::move(attributes))
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(3)}})
      .finish();
}

// Three channels and a rectangle: swapped planes, axes or flipped kernels cannot cancel out.
std::vector<Graph> test_graphs() {
  const auto with = [](std::int64_t out, Shape kernel, Attributes more) {
    more["out_channels"] = count(out);
    more["kernel"] = extents(std::move(kernel));
    return more;
  };
  return {
      test_graph("conv2d_planes", {3, 7, 5}, with(4, {3, 2}, {})),
      test_graph("conv2d_no_bias", {3, 5, 6}, with(2, {2, 3}, {{"bias", false}})),
      test_graph("conv2d_stride", {2, 9, 8}, with(3, {3, 3}, {{"stride", extents({2, 3})}})),
      test_graph("conv2d_pads", {2, 5, 4}, with(3, {3, 3}, {{"pads", extents({1, 0, 2, 1})}})),
      test_graph("conv2d_dilation", {2, 8, 7}, with(3, {3, 2}, {{"dilation", extents({2, 3})}})),
      test_graph("conv2d_groups", {4, 6, 5}, with(6, {3, 3}, {{"groups", count(2)}})),
      test_graph("conv2d_depthwise", {3, 6, 7}, with(6, {3, 3}, {{"groups", count(3)}})),
      test_graph("conv2d_all", {4, 11, 9},
                 with(6, {3, 2},
                      {{"stride", extents({2, 2})},
                       {"pads", extents({2, 1, 1, 2})},
                       {"dilation", extents({2, 3})},
                       {"groups", count(2)}})),
  };
}

}  // namespace

OpSpec conv2d_spec() {
  OpSpec spec;
  spec.name = "conv2d";
  spec.definition =
      "cross-correlation: y[o,i,j] = b[o] + sum over c,m,n of W[o,c,m,n] x[c, i*stride + m*dilation - pad, "
      "…]; "
      "W is [out, in/groups, kh, kw]; output extents are rounded down";
  spec.attributes = {
      {"out_channels", AttributeKind::integer, std::nullopt, "number of output channels"},
      {"kernel", AttributeKind::integers, std::nullopt, "[height, width] of the kernel in cells"},
      {"stride", AttributeKind::integers, extents({1, 1}), "[height, width] step of the kernel in cells"},
      {"pads", AttributeKind::integers, extents({0, 0, 0, 0}),
       "zeros added at [top, left, bottom, right] in cells"},
      {"dilation", AttributeKind::integers, extents({1, 1}),
       "[height, width] distance of kernel cells in cells"},
      {"groups", AttributeKind::integer, count(1),
       "number of groups that input and output channels are split into"},
      {"bias", AttributeKind::flag, true, "true: one bias for each output channel"},
  };
  spec.output_shape = output_shape;
  spec.parameters = conv_parameters;
  spec.macs = macs;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
