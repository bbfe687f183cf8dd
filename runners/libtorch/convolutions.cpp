#include "lowering.hpp"

namespace runner {

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
          .bias(flag(node, "bias"));
  if (symmetric) {
    options.padding(torch::ExpandingArray<2>({pads[0], pads[1]}));
  }
  auto layer = network.register_module(node.name, torch::nn::Conv2d(options));
  network.own(node, {layer->weight, layer->bias});
  if (symmetric) {
    return network.add(inputs[0], [layer](const torch::Tensor& x) { return layer->forward(x); });
  }
  const Extents around{pads[1], pads[3], pads[0], pads[2]};
  return network.add(inputs[0], [layer, around](const torch::Tensor& x) {
    return layer->forward(torch::constant_pad_nd(x, around, 0));
  });
}

// A full convolution whose missing connections are zeros: libtorch has no connection tables.
Value conv_table(Network& network, const Node& node, const Inputs& inputs) {
  const Extents shape = node.parameters.front().shape;
  const Extents stride = integers(node, "stride");
  // Only the owner of weights of this shape.
  auto layer = network.register_module(
      node.name, torch::nn::Conv2d(torch::nn::Conv2dOptions(shape[1], shape[0], {shape[2], shape[3]})));
  network.own(node, {layer->weight, layer->bias});
  const torch::Tensor columns =
      torch::tensor(integers(node, "table"), torch::kInt64).reshape({shape[0], shape[1]});
  const torch::Tensor rows = torch::arange(shape[0], torch::kInt64).unsqueeze(1);
  return network.add(inputs[0], [=](const torch::Tensor& x) {
    const torch::Tensor full =
        torch::zeros({shape[0], x.size(1), shape[2], shape[3]}).index_put({rows, columns}, layer->weight);
    return torch::conv2d(x, full, layer->bias, stride);
  });
}

}  // namespace runner
