#include "network.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace template_runner {

Network::Network(std::size_t input_width, std::size_t rows) : rows_(rows) {
  places_.push_back(
      {input_width, std::vector<float>(rows * input_width), std::vector<float>(rows * input_width)});
}

std::size_t Network::add(std::unique_ptr<Layer> layer, std::size_t in, std::size_t out_width) {
  places_.push_back(
      {out_width, std::vector<float>(rows_ * out_width), std::vector<float>(rows_ * out_width)});
  steps_.push_back({std::move(layer), in, places_.size() - 1});
  return places_.size() - 1;
}

Weights* Network::add_weights(const dlbench::sdk::Parameter& parameter, const dlbench::sdk::Layout& layout) {
  const auto count = static_cast<std::size_t>(dlbench::model::element_count(parameter.shape));
  const std::vector<float> zeros(count, 0.0F);
  weights_.push_back(std::make_unique<Weights>(Weights{parameter, layout, zeros, zeros, zeros}));
  return weights_.back().get();
}

Weights& Network::weights(const std::string& name) {
  for (const auto& entry : weights_) {
    if (entry->parameter.name == name) {
      return *entry;
    }
  }
  throw std::runtime_error("no parameter " + name);
}

void Network::forward(const float* input, std::size_t rows) {
  std::copy(input, input + rows * places_.front().width, places_.front().values.begin());
  for (const Step& step : steps_) {
    step.layer->forward(rows, places_[step.in], places_[step.out]);
  }
}

void Network::backward(std::size_t from, std::size_t rows) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (i != from) {
      std::ranges::fill(places_[i].gradient, 0.0F);
    }
  }
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    step->layer->backward(rows, places_[step->in], places_[step->out]);
  }
}

void Network::clear_gradients() {
  for (const auto& entry : weights_) {
    std::ranges::fill(entry->gradient, 0.0F);
  }
}

}  // namespace template_runner
