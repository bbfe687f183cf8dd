#include "model/builder.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::zoo {
namespace {

using model::count;
using model::extents;

model::Attributes conv(std::int64_t channels) {
  return {{"out_channels", count(channels)}, {"kernel", extents({5, 5})}};
}

model::Attributes halve() {
  return {{"kernel", extents({2, 2})}, {"stride", extents({2, 2})}};
}

}  // namespace

// As Caffe ships it: no activation after the convolutions, one relu between the dense layers.
model::Graph lenet() {
  return model::Builder("lenet", {1, 28, 28})
      .add("conv1", "conv2d", conv(20))
      .add("pool1", "max_pool", halve())
      .add("conv2", "conv2d", conv(50))
      .add("pool2", "max_pool", halve())
      .add("flat", "flatten")
      .add("ip1", "dense", {{"out_features", count(500)}})
      .add("relu1", "relu")
      .add("ip2", "dense", {{"out_features", count(10)}})
      .finish();
}

}  // namespace dlbench::zoo
