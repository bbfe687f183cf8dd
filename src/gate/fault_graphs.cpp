#include <utility>

#include "gate/fault.hpp"
#include "model/builder.hpp"

namespace dlbench::gate {
namespace {

using model::Builder;
using model::count;
using model::extents;

model::Graph two_hidden() {
  return Builder("two_hidden", {12})
      .add("first", "dense", {{"out_features", count(9)}})
      .add("relu1", "relu")
      .add("second", "dense", {{"out_features", count(7)}})
      .add("relu2", "relu")
      .add("score", "dense", {{"out_features", count(4)}})
      .finish();
}

// Rounding up gives the pooling a third row and column. The convolution behind it has one window, with pads,
// for two as well as for three: the shapes stay, so the fault can only be told by its numbers.
model::Graph odd_pool() {
  return Builder("odd_pool", {1, 5, 5})
      .add("pool", "max_pool", {{"kernel", extents({2, 2})}, {"stride", extents({2, 2})}})
      .add("conv", "conv2d",
           {{"out_channels", count(6)},
            {"kernel", extents({4, 4})},
            {"stride", extents({4, 4})},
            {"pads", extents({1, 1, 1, 1})}})
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(3)}})
      .finish();
}

model::Graph three_planes() {
  return Builder("three_planes", {3, 6, 5})
      .add("conv", "conv2d", {{"out_channels", count(4)}, {"kernel", extents({3, 3})}})
      .add("relu1", "relu")
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(5)}})
      .finish();
}

model::Graph dropped() {
  return Builder("dropped", {12})
      .add("first", "dense", {{"out_features", count(9)}})
      .add("drop", "dropout", {{"rate", 0.25}})
      .add("relu1", "relu")
      .add("score", "dense", {{"out_features", count(4)}})
      .finish();
}

model::Graph normalised() {
  return Builder("normalised", {2, 5, 4})
      .add("conv", "conv2d", {{"out_channels", count(4)}, {"kernel", extents({2, 2})}})
      .add("norm", "batch_norm")
      .add("relu1", "relu")
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(3)}})
      .finish();
}

model::Graph recurrent() {
  return Builder("recurrent", {5, 4})
      .add("memory", "lstm", {{"hidden", count(6)}, {"last_only", true}})
      .add("score", "dense", {{"out_features", count(3)}})
      .finish();
}

}  // namespace

std::optional<model::Graph> fault_graph(const std::string& name) {
  const std::vector<std::pair<std::string, model::Graph (*)()>> graphs = {
      {"two_hidden", two_hidden}, {"odd_pool", odd_pool},     {"three_planes", three_planes},
      {"dropped", dropped},       {"normalised", normalised}, {"recurrent", recurrent}};
  for (const auto& [known, make] : graphs) {
    if (known == name) {
      return make();
    }
  }
  return std::nullopt;
}

}  // namespace dlbench::gate
