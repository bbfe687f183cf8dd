#include <algorithm>
#include <limits>

#include "lowering.hpp"

namespace runner {
namespace {

// How far libtorch must pad behind an axis so that plain floor pooling makes exactly the graph's windows;
// negative when cells at the end belong to no window.
std::int64_t pad_behind(const Node& node, std::int64_t extent, std::size_t axis) {
  const std::int64_t windows = node.output_shape[axis + 1];
  const std::int64_t covered =
      (windows - 1) * integers(node, "stride")[axis] + integers(node, "kernel")[axis];
  return covered - extent - integers(node, "pads")[axis];
}

Extents pads_around(const Node& node, const torch::Tensor& x) {
  const Extents& pads = integers(node, "pads");
  return {pads[1], pad_behind(node, x.size(3), 1), pads[0], pad_behind(node, x.size(2), 0)};
}

// libtorch itself takes these pads.
bool is_native(const Node& node) {
  const Extents& pads = integers(node, "pads");
  const Extents& kernel = integers(node, "kernel");
  return is_symmetric(pads) && pads[0] * 2 <= kernel[0] && pads[1] * 2 <= kernel[1];
}

// Cells that count in each window along one axis.
torch::Tensor counted_cells(const Node& node, std::int64_t extent, std::size_t axis) {
  const Extents& pads = integers(node, "pads");
  const bool with_pads = flag(node, "count_include_pad");
  std::vector<float> cells;
  for (std::int64_t i = 0; i < node.output_shape[axis + 1]; ++i) {
    const std::int64_t begin = i * integers(node, "stride")[axis] - pads[axis];
    const std::int64_t end = begin + integers(node, "kernel")[axis];
    const std::int64_t first = with_pads ? begin : std::max<std::int64_t>(begin, 0);
    cells.push_back(static_cast<float>(std::min(end, extent + (with_pads ? pads[axis + 2] : 0)) - first));
  }
  return torch::tensor(cells);
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
    return torch::max_pool2d(torch::constant_pad_nd(x, pads_around(node, x), lowest), kernel, stride);
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
    const torch::Tensor sums = torch::avg_pool2d(torch::constant_pad_nd(x, pads_around(node, x), 0), kernel,
                                                 stride, {0, 0}, false, false, 1);
    return sums / torch::outer(counted_cells(node, x.size(2), 0), counted_cells(node, x.size(3), 1));
  });
}

Value global_avg_pool(Network& network, const Node& /*node*/, const Inputs& inputs) {
  return network.add(inputs[0], [](const torch::Tensor& x) { return torch::adaptive_avg_pool2d(x, {1, 1}); });
}

}  // namespace runner
