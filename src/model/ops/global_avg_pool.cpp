#include "model/builder.hpp"
#include "model/detail/window.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& /*node*/, const std::vector<Shape>& inputs) {
  check_image(inputs[0]);
  return {inputs[0][0], 1, 1};
}

std::vector<Graph> test_graphs() {
  return {
      Builder("global_avg_pool_dense", {3, 5, 4})
          .add("conv", "conv2d", {{"out_channels", count(4)}, {"kernel", extents({2, 2})}})
          .add("pool", "global_avg_pool")
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      // A convolution as the classifier: its output is already one cell for each class.
      Builder("global_avg_pool_last", {2, 6, 5})
          .add("conv", "conv2d", {{"out_channels", count(3)}, {"kernel", extents({3, 3})}})
          .add("pool", "global_avg_pool")
          .add("flat", "flatten")
          .finish(),
  };
}

}  // namespace

OpSpec global_avg_pool_spec() {
  OpSpec spec;
  spec.name = "global_avg_pool";
  spec.definition = "mean of each channel over its plane; [channels, height, width] gives [channels, 1, 1]";
  spec.output_shape = output_shape;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
