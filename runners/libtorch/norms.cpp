// Modules that follow the network's train() and eval().
#include "lowering.hpp"

namespace runner {
namespace {

template <class Layer>
Value add_norm(Network& network, const Node& node, Value input) {
  const auto options = torch::nn::BatchNormOptions(node.parameters.front().shape[0])
                           .eps(real(node, "epsilon"))
                           .momentum(real(node, "momentum"));
  auto layer = network.register_module(node.name, Layer(options));
  network.own(node, {layer->weight, layer->bias, layer->running_mean, layer->running_var});
  return network.add(input, [layer](const torch::Tensor& x) { return layer->forward(x); });
}

}  // namespace

Value batch_norm(Network& network, const Node& node, const Inputs& inputs) {
  const bool is_picture = node.output_shape.size() == 3;
  return is_picture ? add_norm<torch::nn::BatchNorm2d>(network, node, inputs[0])
                    : add_norm<torch::nn::BatchNorm1d>(network, node, inputs[0]);
}

Value dropout(Network& network, const Node& node, const Inputs& inputs) {
  auto layer = network.register_module(node.name, torch::nn::Dropout(real(node, "rate")));
  return network.add(inputs[0], [layer](const torch::Tensor& x) { return layer->forward(x); });
}

}  // namespace runner
