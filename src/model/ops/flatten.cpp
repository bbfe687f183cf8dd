#include "model/builder.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& /*node*/, const std::vector<Shape>& inputs) {
  return {element_count(inputs[0])};
}

// Three different extents: any other order of the axes gives other logits.
std::vector<Graph> test_graphs() {
  return {
      Builder("flatten_order", {3, 4, 2})
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(5)}})
          .finish(),
      Builder("flatten_after_conv", {1, 5, 4})
          .add("conv", "conv2d", {{"out_channels", count(3)}, {"kernel", extents({2, 2})}})
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(4)}})
          .finish(),
  };
}

}  // namespace

OpSpec flatten_spec() {
  OpSpec spec;
  spec.name = "flatten";
  spec.definition = "all axes but the batch become one, in the order channel, height, width (last fastest)";
  spec.output_shape = output_shape;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
