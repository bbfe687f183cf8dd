#include "model/builder.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& /*node*/, const std::vector<Shape>& inputs) {
  return inputs[0];
}

std::vector<Graph> test_graphs() {
  return {
      Builder("sigmoid_dense", {6})
          .add("first", "dense", {{"out_features", count(8)}})
          .add("active", "sigmoid")
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      Builder("sigmoid_conv", {2, 5, 4})
          .add("conv", "conv2d", {{"out_channels", count(3)}, {"kernel", extents({3, 3})}})
          .add("active", "sigmoid")
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
  };
}

}  // namespace

OpSpec sigmoid_spec() {
  OpSpec spec;
  spec.name = "sigmoid";
  spec.definition = "y = 1 / (1 + exp(-x))";
  spec.output_shape = output_shape;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
