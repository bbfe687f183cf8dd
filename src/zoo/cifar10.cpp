// The CIFAR-10 networks that Caffe, TensorFlow and Torch7 came with (Wu et al. 2019 compare them).
#include "zoo/layers.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::zoo {
namespace {

constexpr std::int64_t table_inputs = 4;  // maps of the second layer that one map of the third reads

// Torch7 draws the connections of its two convolutions at random; here they follow a rule, so that a network
// is a pure function of its name: output o reads inputs o, o + s, o + 2 s, … modulo `in`, s = 1 + (o / in)
// mod 3.
model::Attributes connections(std::int64_t in, std::int64_t out, std::int64_t fan_in) {
  std::vector<std::int64_t> table;
  for (std::int64_t o = 0; o < out; ++o) {
    for (std::int64_t i = 0; i < fan_in; ++i) {
      table.push_back((o + i * (1 + o / in % 3)) % in);
    }
  }
  return {{"out_channels", model::count(out)},
          {"kernel", model::extents({5, 5})},
          {"table", model::extents(std::move(table))}};
}

// TensorFlow's SAME of a window of 3 by 2 on an even extent: the odd pad behind.
model::Attributes same_pool() {
  model::Attributes attributes = window(3, 2);
  attributes["pads"] = model::extents({0, 0, 1, 1});
  return attributes;
}

// depth_radius 4, alpha 0.001 / 9.
model::Attributes norm() {
  return {{"size", model::count(9)}, {"alpha", 0.001 / 9.0}, {"beta", 0.75}, {"k", 1.0}};
}

}  // namespace

// cifar10_quick: all three pools are rounded up, as Caffe does.
model::Graph cifar10_caffe() {
  return model::Builder("cifar10_caffe", {3, 32, 32})
      .add("conv1", "conv2d", conv(32, 5, 2))
      .add("pool1", "max_pool", window_rounded_up(3, 2))
      .add("relu1", "relu")
      .add("conv2", "conv2d", conv(32, 5, 2))
      .add("relu2", "relu")
      .add("pool2", "avg_pool", window_rounded_up(3, 2))
      .add("conv3", "conv2d", conv(64, 5, 2))
      .add("relu3", "relu")
      .add("pool3", "avg_pool", window_rounded_up(3, 2))
      .add("flat", "flatten")
      .add("ip1", "dense", dense(64))
      .add("ip2", "dense", dense(10))
      .finish();
}

// On crops of 24x24.
model::Graph cifar10_tensorflow() {
  return model::Builder("cifar10_tensorflow", {3, 24, 24})
      .add("conv1", "conv2d", conv(64, 5, 2))
      .add("relu1", "relu")
      .add("pool1", "max_pool", same_pool())
      .add("norm1", "lrn", norm())
      .add("conv2", "conv2d", conv(64, 5, 2))
      .add("relu2", "relu")
      .add("norm2", "lrn", norm())
      .add("pool2", "max_pool", same_pool())
      .add("flat", "flatten")
      .add("local3", "dense", dense(384))
      .add("relu3", "relu")
      .add("local4", "dense", dense(192))
      .add("relu4", "relu")
      .add("score", "dense", dense(10))
      .finish();
}

model::Graph cifar10_torch() {
  return model::Builder("cifar10_torch", {3, 32, 32})
      .add("conv1", "conv_table", connections(3, 16, 1))
      .add("tanh1", "tanh")
      .add("pool1", "max_pool", window(2, 2))
      .add("conv2", "conv_table", connections(16, 256, table_inputs))
      .add("tanh2", "tanh")
      .add("pool2", "max_pool", window(2, 2))
      .add("flat", "flatten")
      .add("hidden", "dense", dense(128))
      .add("tanh3", "tanh")
      .add("score", "dense", dense(10))
      .finish();
}

}  // namespace dlbench::zoo
