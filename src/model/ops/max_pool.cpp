#include "model/builder.hpp"
#include "model/detail/between_convolutions.hpp"
#include "model/detail/window.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& node, const std::vector<Shape>& inputs) {
  return pooled_shape(node, inputs[0]);
}

// A convolution stands before the pooling, so that its gradient shows which cell each maximum came from.
Graph test_graph(const std::string& name, const Shape& input, Attributes attributes) {
  return Builder(name, input)
      .add("conv", "conv2d", {{"out_channels", count(2)}, {"kernel", extents({1, 1})}})
      .add("pool", "max_pool", std::move(attributes))
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(3)}})
      .finish();
}

std::vector<Graph> test_graphs() {
  const auto pool = [](Shape kernel, Shape stride, Shape pads, bool ceil_mode) {
    return Attributes{{"kernel", extents(std::move(kernel))},
                      {"stride", extents(std::move(stride))},
                      {"pads", extents(std::move(pads))},
                      {"ceil_mode", ceil_mode}};
  };
  const Shape none = {0, 0, 0, 0};
  return {
      // 7 and 5 are odd: floor and ceil differ.
      test_graph("max_pool_floor", {2, 7, 5}, pool({2, 2}, {2, 2}, none, false)),
      test_graph("max_pool_ceil", {2, 7, 5}, pool({2, 2}, {2, 2}, none, true)),
      test_graph("max_pool_overlap", {2, 7, 9}, pool({3, 3}, {2, 2}, none, false)),
      test_graph("max_pool_rectangle", {2, 6, 9}, pool({2, 3}, {3, 2}, none, false)),
      test_graph("max_pool_pads", {2, 6, 5}, pool({3, 3}, {2, 2}, {1, 0, 1, 2}, false)),
      // Rounding 5 + 1 + 1 up gives a fourth window that would start in the trailing pad: it is dropped.
      test_graph("max_pool_ceil_clipped", {1, 5, 5}, pool({2, 2}, {2, 2}, {1, 1, 1, 1}, true)),
      between_convolutions("max_pool", pool({2, 2}, {1, 1}, none, false)),
  };
}

}  // namespace

OpSpec max_pool_spec() {
  OpSpec spec;
  spec.name = "max_pool";
  spec.definition =
      "largest value of each window; pads never win; the gradient of a tie goes to the first maximum in "
      "row-major order";
  spec.attributes = pooling_attributes();
  spec.output_shape = output_shape;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
