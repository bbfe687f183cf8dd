#include <fmt/format.h>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& node, const std::vector<Shape>& inputs) {
  const double rate = real(node, "rate");
  if (!(rate >= 0.0 && rate < 1.0)) {
    throw base::UserError(fmt::format("rate {} must be at least 0 and less than 1", rate));
  }
  return inputs[0];
}

std::vector<Graph> test_graphs() {
  return {
      Builder("dropout_features", {9})
          .add("first", "dense", {{"out_features", count(8)}})
          .add("drop", "dropout", {{"rate", 0.25}})
          .add("relu", "relu")
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      Builder("dropout_image", {2, 5, 4})
          .add("conv", "conv2d", {{"out_channels", count(4)}, {"kernel", extents({2, 2})}})
          .add("drop", "dropout", {{"rate", 0.5}})
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
  };
}

}  // namespace

OpSpec dropout_spec() {
  OpSpec spec;
  spec.name = "dropout";
  spec.definition =
      "in training y = x / (1 - rate) with probability 1 - rate, else 0, each element of each sample drawn "
      "anew in each step; in evaluation y = x";
  spec.attributes = {
      {"rate", AttributeKind::real, 0.5, "probability that an element is dropped, in [0, 1)"},
  };
  spec.output_shape = output_shape;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
