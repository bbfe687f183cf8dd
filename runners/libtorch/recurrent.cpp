// Layers of sequences: [rows, positions] of tokens, [rows, positions, features].
#include "lowering.hpp"

namespace runner {

// Its gradient is dense, so decay and momentum move every row.
Value embedding(Network& network, const Node& node, const Inputs& inputs) {
  const auto options = torch::nn::EmbeddingOptions(integer(node, "vocabulary"), integer(node, "features"));
  auto layer = network.register_module(node.name, torch::nn::Embedding(options));
  network.own(node, {layer->weight});
  return network.add(inputs[0], [layer](const torch::Tensor& tokens) { return layer->forward(tokens); });
}

// The module has two biases that are added; the second stays 0 and is not trained.
Value lstm(Network& network, const Node& node, const Inputs& inputs) {
  const std::int64_t features = node.parameters.front().shape[1];
  const auto options = torch::nn::LSTMOptions(features, integer(node, "hidden")).batch_first(true);
  auto layer = network.register_module(node.name, torch::nn::LSTM(options));
  auto own = layer->named_parameters();
  network.own(node, {own["weight_ih_l0"], own["weight_hh_l0"], own["bias_ih_l0"]});
  torch::nn::init::zeros_(own["bias_hh_l0"]);
  own["bias_hh_l0"].set_requires_grad(false);
  return network.add(inputs[0], [layer, last_only = flag(node, "last_only")](const torch::Tensor& x) {
    const auto [h, last] = layer->forward(x);
    return last_only ? std::get<0>(last).squeeze(0) : h;  // of the one layer
  });
}

}  // namespace runner
