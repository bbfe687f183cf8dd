#include "model/builder.hpp"
#include "model/detail/between_convolutions.hpp"
#include "model/detail/window.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& node, const std::vector<Shape>& inputs) {
  return pooled_shape(node, inputs[0]);
}

Graph test_graph(const std::string& name, const Shape& input, Attributes attributes) {
  return Builder(name, input)
      .add("conv", "conv2d", {{"out_channels", count(2)}, {"kernel", extents({1, 1})}})
      .add("pool", "avg_pool", std::move(attributes))
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(3)}})
      .finish();
}

std::vector<Graph> test_graphs() {
  const auto pool = [](Shape kernel, Shape stride, Shape pads, bool ceil_mode, bool count_include_pad) {
    return Attributes{{"kernel", extents(std::move(kernel))},
                      {"stride", extents(std::move(stride))},
                      {"pads", extents(std::move(pads))},
                      {"ceil_mode", ceil_mode},
                      {"count_include_pad", count_include_pad}};
  };
  const Shape none = {0, 0, 0, 0};
  return {
      test_graph("avg_pool_floor", {2, 7, 5}, pool({2, 2}, {2, 2}, none, false, true)),
      // The last windows hang over the end: their divisor is what lies inside.
      test_graph("avg_pool_ceil", {2, 7, 5}, pool({2, 2}, {2, 2}, none, true, true)),
      test_graph("avg_pool_overlap", {2, 7, 9}, pool({3, 3}, {2, 2}, none, false, false)),
      test_graph("avg_pool_rectangle", {2, 6, 9}, pool({2, 3}, {3, 2}, none, false, true)),
      test_graph("avg_pool_pads", {2, 7, 7}, pool({3, 3}, {2, 2}, {1, 1, 1, 1}, false, true)),
      test_graph("avg_pool_pads_excluded", {2, 7, 7}, pool({3, 3}, {2, 2}, {1, 1, 1, 1}, false, false)),
      test_graph("avg_pool_uneven_pads", {2, 6, 5}, pool({3, 3}, {2, 2}, {1, 0, 1, 2}, false, true)),
      // Pads of one and an overhang of one: the pad counts, the overhang does not.
      test_graph("avg_pool_ceil_pads", {2, 6, 6}, pool({3, 3}, {2, 2}, {1, 1, 1, 1}, true, true)),
      test_graph("avg_pool_ceil_pads_excluded", {2, 6, 6}, pool({3, 3}, {2, 2}, {1, 1, 1, 1}, true, false)),
      // Only the last windows hang over, by one cell of three: pads before and behind differ, and so do
      // divisors.
      between_convolutions("avg_pool", pool({3, 3}, {2, 2}, none, true, true)),
  };
}

}  // namespace

OpSpec avg_pool_spec() {
  OpSpec spec;
  spec.name = "avg_pool";
  spec.definition =
      "sum of each window's input cells ÷ number of its cells inside the padded input; cells that hang over "
      "its end never count";
  spec.attributes = pooling_attributes();
  spec.attributes.push_back({"count_include_pad", AttributeKind::flag, true,
                             "false: pads do not count either, so that the divisor is the number of input "
                             "cells"});
  spec.output_shape = output_shape;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
