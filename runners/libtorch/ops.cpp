#include "ops.hpp"

#include "lowering.hpp"

namespace runner {
namespace {

Value dense(Network& network, const Node& node, const Inputs& inputs) {
  const auto& shape = node.parameters.front().shape;
  auto layer = network.register_module(
      node.name, torch::nn::Linear(torch::nn::LinearOptions(shape[1], shape[0]).bias(flag(node, "bias"))));
  network.own(node, {layer->weight, layer->bias});
  return network.add(inputs[0], [layer](const torch::Tensor& x) { return layer->forward(x); });
}

Value relu(Network& network, const Node& /*node*/, const Inputs& inputs) {
  return network.add(inputs[0], [](const torch::Tensor& x) { return torch::relu(x); });
}

Value flatten(Network& network, const Node& /*node*/, const Inputs& inputs) {
  return network.add(inputs[0], [](const torch::Tensor& x) { return torch::flatten(x, 1); });
}

Value sigmoid(Network& network, const Node& /*node*/, const Inputs& inputs) {
  return network.add(inputs[0], [](const torch::Tensor& x) { return torch::sigmoid(x); });
}

Value tanh(Network& network, const Node& /*node*/, const Inputs& inputs) {
  return network.add(inputs[0], [](const torch::Tensor& x) { return torch::tanh(x); });
}

Value softmax(Network& network, const Node& /*node*/, const Inputs& inputs) {
  return network.add(inputs[0], [](const torch::Tensor& x) { return torch::softmax(x, 1); });
}

Value add(Network& network, const Node& /*node*/, const Inputs& inputs) {
  return network.add(inputs,
                     [inputs](const Values& values) { return values[inputs[0]] + values[inputs[1]]; });
}

Value concat(Network& network, const Node& /*node*/, const Inputs& inputs) {
  return network.add(inputs, [inputs](const Values& values) {
    std::vector<torch::Tensor> parts;
    parts.reserve(inputs.size());
    for (const Value input : inputs) {
      parts.push_back(values[input]);
    }
    return torch::cat(parts, 1);
  });
}

// libtorch divides alpha by the size.
Value lrn(Network& network, const Node& node, const Inputs& inputs) {
  const std::int64_t size = integer(node, "size");
  auto layer = network.register_module(
      node.name, torch::nn::LocalResponseNorm(torch::nn::LocalResponseNormOptions(size)
                                                  .alpha(real(node, "alpha") * static_cast<double>(size))
                                                  .beta(real(node, "beta"))
                                                  .k(real(node, "k"))));
  return network.add(inputs[0], [layer](const torch::Tensor& x) { return layer->forward(x); });
}

// Only a step applies a loss: as a node it is just the logits.
Value softmax_cross_entropy(Network& network, const Node& /*node*/, const Inputs& inputs) {
  // A row for each target: libtorch wants classes as the second axis.
  network.loss = [](const torch::Tensor& logits, const torch::Tensor& target) {
    return torch::nn::functional::cross_entropy(logits.flatten(0, -2), target);
  };
  return inputs[0];
}

Value binary_cross_entropy(Network& network, const Node& /*node*/, const Inputs& inputs) {
  network.loss = [](const torch::Tensor& logits, const torch::Tensor& target) {
    return torch::nn::functional::binary_cross_entropy_with_logits(logits.squeeze(1),
                                                                   target.to(torch::kFloat32));
  };
  return inputs[0];
}

}  // namespace

const dlbench::sdk::OpTable<Network, Value>& ops() {
  static const dlbench::sdk::OpTable<Network, Value> table("op",
                                                           {{"add", add},
                                                            {"avg_pool", avg_pool},
                                                            {"batch_norm", batch_norm},
                                                            {"binary_cross_entropy", binary_cross_entropy},
                                                            {"concat", concat},
                                                            {"conv2d", conv2d},
                                                            {"conv_table", conv_table},
                                                            {"dense", dense},
                                                            {"dropout", dropout},
                                                            {"embedding", embedding},
                                                            {"flatten", flatten},
                                                            {"global_avg_pool", global_avg_pool},
                                                            {"lrn", lrn},
                                                            {"lstm", lstm},
                                                            {"max_pool", max_pool},
                                                            {"relu", relu},
                                                            {"sigmoid", sigmoid},
                                                            {"softmax", softmax},
                                                            {"softmax_cross_entropy", softmax_cross_entropy},
                                                            {"tanh", tanh}});
  return table;
}

}  // namespace runner
