// Networks of Shi et al. 2016 (benchmark of Hong Kong Baptist University), in the forms that its code really
// had.
#include <functional>

#include "zoo/layers.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::zoo {
namespace {

using Window = std::function<model::Attributes(std::int64_t size, std::int64_t stride)>;

model::Graph alexnet_r(const char* name, const Window& pool) {
  return model::Builder(name, {3, 32, 32})
      .add("conv1", "conv2d", conv(32, 5, 2))
      .add("pool1", "max_pool", pool(3, 2))
      .add("relu1", "relu")
      .add("conv2", "conv2d", conv(32, 5, 2))
      .add("relu2", "relu")
      .add("pool2", "max_pool", pool(3, 2))
      .add("conv3", "conv2d", conv(64, 5, 2))
      .add("relu3", "relu")
      .add("pool3", "avg_pool", pool(3, 2))
      .add("flat", "flatten")
      .add("score", "dense", dense(10))
      .finish();
}

model::Graph fcn_r_of(const char* name, std::int64_t first, std::int64_t second) {
  return model::Builder(name, {1, 28, 28})
      .add("flat", "flatten")
      .add("hidden1", "dense", dense(first))
      .add("sigmoid1", "sigmoid")
      .add("hidden2", "dense", dense(second))
      .add("sigmoid2", "sigmoid")
      .add("hidden3", "dense", dense(1024))
      .add("sigmoid3", "sigmoid")
      .add("score", "dense", dense(10))
      .finish();
}

}  // namespace

// TensorFlow, CNTK, MXNet, Torch: 32, 15, 7, 3.
model::Graph alexnet_r_floor() {
  return alexnet_r("alexnet_r_floor",
                   [](std::int64_t size, std::int64_t stride) { return window(size, stride); });
}

// Caffe: 32, 16, 8, 4, which is 15 % more work.
model::Graph alexnet_r_ceil() {
  return alexnet_r("alexnet_r_ceil", window_rounded_up);
}

// TensorFlow, Caffe, MXNet, Torch; only CNTK had the published order.
model::Graph fcn_r() {
  return fcn_r_of("fcn_r", 2048, 4096);
}
model::Graph fcn_r_published() {
  return fcn_r_of("fcn_r_published", 4096, 2048);
}

}  // namespace dlbench::zoo
