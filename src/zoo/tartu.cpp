// Networks of Elshawi et al. 2021 (University of Tartu) as its Keras notebooks had them.
#include <fmt/format.h>

#include "zoo/layers.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::zoo {
namespace {

model::Attributes rate(double value) {
  return {{"rate", value}};
}

void add_conv_relu(model::Builder& builder, int number, const model::Attributes& attributes) {
  builder.add(fmt::format("conv{}", number), "conv2d", attributes).add(fmt::format("relu{}", number), "relu");
}

// Two convolutions of 3x3, the first with pads and the second without, a pool, a dropout.
void add_pair(model::Builder& builder, int number, std::int64_t channels, double dropped) {
  add_conv_relu(builder, 2 * number - 1, conv(channels, 3, 1));
  add_conv_relu(builder, 2 * number, conv(channels, 3));
  builder.add(fmt::format("pool{}", number), "max_pool", window(2, 2))
      .add(fmt::format("drop{}", number), "dropout", rate(dropped));
}

model::Graph finish(model::Builder& builder, std::int64_t hidden, std::int64_t classes) {
  return builder.add("flat", "flatten")
      .add("hidden", "dense", dense(hidden))
      .add("hidden_relu", "relu")
      .add("hidden_drop", "dropout", rate(0.5))
      .add("score", "dense", dense(classes))
      .finish();
}

// Keras's padding "same" of a window of 2: with stride 2 on even extents no pad, with stride 1 one behind.
model::Attributes same_pool(std::int64_t stride) {
  model::Attributes attributes = window(2, stride);
  attributes["pads"] = stride == 1 ? model::extents({0, 0, 1, 1}) : model::extents({0, 0, 0, 0});
  return attributes;
}

}  // namespace

model::Graph tartu_mnist() {
  model::Builder builder("tartu_mnist", {1, 28, 28});
  add_conv_relu(builder, 1, conv(32, 3));
  add_conv_relu(builder, 2, conv(64, 3));
  builder.add("pool1", "max_pool", window(2, 2)).add("drop1", "dropout", rate(0.25));
  return finish(builder, 128, 10);
}

model::Graph tartu_cifar10() {
  model::Builder builder("tartu_cifar10", {3, 32, 32});
  add_pair(builder, 1, 32, 0.25);
  add_pair(builder, 2, 64, 0.25);
  return finish(builder, 512, 10);
}

model::Graph tartu_cifar100() {
  model::Builder builder("tartu_cifar100", {3, 32, 32});
  add_pair(builder, 1, 128, 0.1);
  add_pair(builder, 2, 256, 0.25);
  add_pair(builder, 3, 512, 0.5);
  return finish(builder, 1024, 100);
}

// Eight convolutions of 5x5, all but the first normalised before their relu; every other pool has stride 1.
model::Graph tartu_svhn() {
  model::Builder builder("tartu_svhn", {3, 32, 32});
  int number = 0;
  for (const std::int64_t channels : {48, 64, 128, 160, 192, 192, 192, 192}) {
    ++number;
    builder.add(fmt::format("conv{}", number), "conv2d", conv(channels, 5, 2));
    if (number > 1) {
      builder.add(fmt::format("norm{}", number), "batch_norm");
    }
    builder.add(fmt::format("relu{}", number), "relu")
        .add(fmt::format("pool{}", number), "max_pool", same_pool(number % 2 == 1 ? 2 : 1))
        .add(fmt::format("drop{}", number), "dropout", rate(0.2));
  }
  return finish(builder, 3072, 10);
}

}  // namespace dlbench::zoo
