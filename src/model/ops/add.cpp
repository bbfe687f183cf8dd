#include <fmt/format.h>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/detail/between_convolutions.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& /*node*/, const std::vector<Shape>& inputs) {
  if (inputs[0] != inputs[1]) {
    throw base::UserError(
        fmt::format("its inputs have different shapes, {} and {}", to_text(inputs[0]), to_text(inputs[1])));
  }
  return inputs[0];
}

Attributes conv(std::int64_t channels) {
  return {{"out_channels", count(channels)}, {"kernel", extents({3, 3})}, {"pads", extents({1, 1, 1, 1})}};
}

std::vector<Graph> test_graphs() {
  return {
      // A residual block: the shortcut carries its gradient past two layers.
      Builder("add_shortcut", {2, 5, 4})
          .add("stem", "conv2d", conv(3))
          .add("stem_relu", "relu")
          .add("conv", "conv2d", conv(3))
          .add_from("sum", "add", {"conv", "stem_relu"})
          .add("sum_relu", "relu")
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      Builder("add_branches", {6})
          .add_from("left", "dense", {"input"}, {{"out_features", count(5)}})
          .add_from("right", "dense", {"input"}, {{"out_features", count(5)}})
          .add("right_tanh", "tanh")
          .add_from("sum", "add", {"left", "right_tanh"})
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      // Both inputs are one value: its gradient comes twice.
      Builder("add_twice", {5})
          .add("first", "dense", {{"out_features", count(4)}})
          .add_from("sum", "add", {"first", "first"})
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      between_convolutions("add", {}, 2),
  };
}

}  // namespace

OpSpec add_spec() {
  OpSpec spec;
  spec.name = "add";
  spec.definition = "y = a + b, element by element; both have the same shape";
  spec.inputs = {2, 2};
  spec.output_shape = output_shape;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
