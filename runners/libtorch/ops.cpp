#include "ops.hpp"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace runner {

namespace {

using dlbench::model::flag;
using dlbench::model::integer;
using dlbench::model::integers;
using dlbench::model::Node;
using Extents = std::vector<std::int64_t>;
using Inputs = std::vector<Value>;

// Pads are [top, left, bottom, right]; libtorch's own padding is one number per axis.
bool is_symmetric(const Extents& pads) {
  return pads[0] == pads[2] && pads[1] == pads[3];
}

bool has_parameter(const Node& node, const char* name) {
  for (const auto& parameter : node.parameters) {
    if (parameter.name == node.name + "." + name) {
      return true;
    }
  }
  return false;
}

Value conv2d(Network& network, const Node& node, const Inputs& inputs) {
  const Extents pads = integers(node, "pads");
  const bool symmetric = is_symmetric(pads);
  const std::int64_t groups = integer(node, "groups");
  const std::int64_t in_channels = node.parameters.front().shape[1] * groups;
  auto options =
      torch::nn::Conv2dOptions(in_channels, integer(node, "out_channels"), integers(node, "kernel"))
          .stride(integers(node, "stride"))
          .dilation(integers(node, "dilation"))
          .groups(groups)
          .bias(has_parameter(node, "bias"));
  if (symmetric) {
    options.padding(torch::ExpandingArray<2>({pads[0], pads[1]}));
  }
  auto layer = network.register_module(node.name, torch::nn::Conv2d(options));
  if (symmetric) {
    return network.add(inputs[0], [layer](const torch::Tensor& x) { return layer->forward(x); });
  }
  const Extents around{pads[1], pads[3], pads[0], pads[2]};
  return network.add(inputs[0], [layer, around](const torch::Tensor& x) {
    return layer->forward(torch::constant_pad_nd(x, around, 0));
  });
}

// How far libtorch must pad behind an axis so that plain floor pooling makes exactly the graph's windows;
// negative when cells at the end belong to no window.
std::int64_t pad_behind(const Node& node, std::int64_t extent, std::size_t axis) {
  const std::int64_t windows = node.output_shape[axis + 1];
  const std::int64_t covered =
      (windows - 1) * integers(node, "stride")[axis] + integers(node, "kernel")[axis];
  return covered - extent - integers(node, "pads")[axis];
}

Value max_pool(Network& network, const Node& node, const Inputs& inputs) {
  const Extents pads = integers(node, "pads");
  const Extents kernel = integers(node, "kernel");
  const Extents stride = integers(node, "stride");
  const bool is_native = is_symmetric(pads) && pads[0] * 2 <= kernel[0] && pads[1] * 2 <= kernel[1];
  if (is_native) {
    auto options = torch::nn::MaxPool2dOptions(kernel).stride(stride).ceil_mode(flag(node, "ceil_mode"));
    options.padding(torch::ExpandingArray<2>({pads[0], pads[1]}));
    auto layer = network.register_module(node.name, torch::nn::MaxPool2d(options));
    return network.add(inputs[0], [layer](const torch::Tensor& x) { return layer->forward(x); });
  }
  return network.add(inputs[0], [node, pads, kernel, stride](const torch::Tensor& x) {
    const Extents around{pads[1], pad_behind(node, x.size(3), 1), pads[0], pad_behind(node, x.size(2), 0)};
    return torch::max_pool2d(torch::constant_pad_nd(x, around, -std::numeric_limits<float>::infinity()),
                             kernel, stride);
  });
}

Value dense(Network& network, const Node& node, const Inputs& inputs) {
  const auto& shape = node.parameters.front().shape;
  auto layer = network.register_module(
      node.name,
      torch::nn::Linear(torch::nn::LinearOptions(shape[1], shape[0]).bias(has_parameter(node, "bias"))));
  return network.add(inputs[0], [layer](const torch::Tensor& x) { return layer->forward(x); });
}

Value relu(Network& network, const Node& /*node*/, const Inputs& inputs) {
  return network.add(inputs[0], [](const torch::Tensor& x) { return torch::relu(x); });
}

Value flatten(Network& network, const Node& /*node*/, const Inputs& inputs) {
  return network.add(inputs[0], [](const torch::Tensor& x) { return torch::flatten(x, 1); });
}

// The session computes the loss, and only where there are targets: here the value is just the logits.
Value softmax_cross_entropy(Network& /*network*/, const Node& /*node*/, const Inputs& inputs) {
  return inputs[0];
}

}  // namespace

const dlbench::sdk::OpTable<Network, Value>& ops() {
  static const dlbench::sdk::OpTable<Network, Value> table(
      "op", {{"conv2d", conv2d},
             {"max_pool", max_pool},
             {"dense", dense},
             {"relu", relu},
             {"flatten", flatten},
             {"softmax_cross_entropy", softmax_cross_entropy}});
  return table;
}

}  // namespace runner
