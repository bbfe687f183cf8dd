// One block with four branches (Szegedy et al. 2015, figure 2b) behind a short stem: what branches and joins
// cost.
#include "zoo/layers.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::zoo {

model::Graph inception_block() {
  return model::Builder("inception_block", {1, 28, 28})
      .add("stem", "conv2d", conv(16, 3, 1))
      .add("stem_relu", "relu")
      .add("stem_pool", "max_pool", window(2, 2))
      .add("one", "conv2d", conv(8, 1))
      .add("one_relu", "relu")
      .add_from("three_narrow", "conv2d", {"stem_pool"}, conv(8, 1))
      .add("three_narrow_relu", "relu")
      .add("three", "conv2d", conv(16, 3, 1))
      .add("three_relu", "relu")
      .add_from("five_narrow", "conv2d", {"stem_pool"}, conv(4, 1))
      .add("five_narrow_relu", "relu")
      .add("five", "conv2d", conv(8, 5, 2))
      .add("five_relu", "relu")
      .add_from("pooled", "max_pool", {"stem_pool"}, window(3, 1, 1))
      .add("pooled_narrow", "conv2d", conv(8, 1))
      .add("pooled_relu", "relu")
      .add_from("joined", "concat", {"one_relu", "three_relu", "five_relu", "pooled_relu"})
      .add("mean", "global_avg_pool")
      .add("flat", "flatten")
      .add("score", "dense", dense(10))
      .finish();
}

}  // namespace dlbench::zoo
