#include <fmt/format.h>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/detail/between_convolutions.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

constexpr int most_inputs = 64;

Shape output_shape(const Node& /*node*/, const std::vector<Shape>& inputs) {
  Shape result = inputs[0];
  result[0] = 0;
  for (const Shape& shape : inputs) {
    Shape other = shape;
    other[0] = inputs[0][0];
    if (other != inputs[0]) {
      throw base::UserError(fmt::format("its inputs {} and {} differ in more than their first extent",
                                        to_text(inputs[0]), to_text(shape)));
    }
    result[0] += shape[0];
  }
  return result;
}

std::vector<Graph> test_graphs() {
  const auto conv = [](std::int64_t channels, std::int64_t kernel, std::int64_t pad) {
    return Attributes{{"out_channels", count(channels)},
                      {"kernel", extents({kernel, kernel})},
                      {"pads", extents({pad, pad, pad, pad})}};
  };
  return {
      // Branches of different widths, one of them the input of all: an inception block.
      Builder("concat_channels", {2, 5, 4})
          .add("stem", "conv2d", conv(3, 1, 0))
          .add_from("narrow", "conv2d", {"stem"}, conv(2, 1, 0))
          .add_from("wide", "conv2d", {"stem"}, conv(4, 3, 1))
          .add("wide_relu", "relu")
          .add_from("all", "concat", {"narrow", "wide_relu", "stem"})
          .add("conv", "conv2d", conv(3, 2, 0))
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      // Flattened, the channels of the first picture come before those of the second.
      Builder("concat_then_flatten", {2, 3, 4})
          .add_from("left", "conv2d", {"input"}, conv(2, 1, 0))
          .add_from("right", "conv2d", {"input"}, conv(3, 1, 0))
          .add_from("all", "concat", {"left", "right"})
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      Builder("concat_features", {6})
          .add_from("left", "dense", {"input"}, {{"out_features", count(3)}})
          .add_from("right", "dense", {"input"}, {{"out_features", count(5)}})
          .add_from("all", "concat", {"left", "right"})
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      // Positions are joined, not features.
      Builder("concat_positions", {3, 4})
          .add_from("left", "dense", {"input"}, {{"out_features", count(2)}})
          .add_from("right", "dense", {"input"}, {{"out_features", count(2)}})
          .add_from("all", "concat", {"left", "right"})
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      between_convolutions("concat", {}, 2),
  };
}

}  // namespace

OpSpec concat_spec() {
  OpSpec spec;
  spec.name = "concat";
  spec.definition =
      "inputs one after the other along the first extent (channels or features); the others are equal";
  spec.inputs = {2, most_inputs};
  spec.output_shape = output_shape;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
