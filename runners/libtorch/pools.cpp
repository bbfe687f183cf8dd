#include <limits>

#include "lowering.hpp"
#include "model/windows.hpp"

namespace runner {
namespace {

using dlbench::model::Windows;

Windows windows_on(const Node& node, const torch::Tensor& x) {
  return {node, {x.size(1), x.size(2), x.size(3)}};
}

// As constant_pad_nd wants them: the last axis first.
Extents pads_around(const Windows& windows) {
  const Extents pads = windows.pads();
  return {pads[1], pads[3], pads[0], pads[2]};
}

// libtorch itself takes these pads.
bool is_native(const Node& node) {
  const Extents& pads = integers(node, "pads");
  const Extents& kernel = integers(node, "kernel");
  return is_symmetric(pads) && pads[0] * 2 <= kernel[0] && pads[1] * 2 <= kernel[1];
}

}  // namespace

Value max_pool(Network& network, const Node& node, const Inputs& inputs) {
  const Extents kernel = integers(node, "kernel");
  const Extents stride = integers(node, "stride");
  if (is_native(node)) {
    const Extents& pads = integers(node, "pads");
    auto options = torch::nn::MaxPool2dOptions(kernel).stride(stride).ceil_mode(flag(node, "ceil_mode"));
    options.padding(torch::ExpandingArray<2>({pads[0], pads[1]}));
    auto layer = network.register_module(node.name, torch::nn::MaxPool2d(options));
    return network.add(inputs[0], [layer](const torch::Tensor& x) { return layer->forward(x); });
  }
  return network.add(inputs[0], [node, kernel, stride](const torch::Tensor& x) {
    const float lowest = -std::numeric_limits<float>::infinity();
    return torch::max_pool2d(torch::constant_pad_nd(x, pads_around(windows_on(node, x)), lowest), kernel,
                             stride);
  });
}

Value avg_pool(Network& network, const Node& node, const Inputs& inputs) {
  const Extents kernel = integers(node, "kernel");
  const Extents stride = integers(node, "stride");
  if (is_native(node)) {
    const Extents& pads = integers(node, "pads");
    auto options = torch::nn::AvgPool2dOptions(kernel)
                       .stride(stride)
                       .ceil_mode(flag(node, "ceil_mode"))
                       .count_include_pad(flag(node, "count_include_pad"));
    options.padding(torch::ExpandingArray<2>({pads[0], pads[1]}));
    auto layer = network.register_module(node.name, torch::nn::AvgPool2d(options));
    return network.add(inputs[0], [layer](const torch::Tensor& x) { return layer->forward(x); });
  }
  return network.add(inputs[0], [node, kernel, stride](const torch::Tensor& x) {
    const Windows windows = windows_on(node, x);
    const torch::Tensor means =
        torch::avg_pool2d(torch::constant_pad_nd(x, pads_around(windows), 0), kernel, stride);
    const torch::Tensor factors = torch::tensor(windows.factors(flag(node, "count_include_pad")));
    return means * factors.reshape({means.size(2), means.size(3)});
  });
}

Value global_avg_pool(Network& network, const Node& /*node*/, const Inputs& inputs) {
  return network.add(inputs[0], [](const torch::Tensor& x) { return torch::adaptive_avg_pool2d(x, {1, 1}); });
}

}  // namespace runner
