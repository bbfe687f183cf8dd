#include "session.hpp"

#include <algorithm>
#include <cmath>

#include "ops.hpp"
#include "runner_sdk/cpp/unsupported.hpp"

namespace template_runner {

namespace sdk = dlbench::sdk;

TemplateSession::TemplateSession(const sdk::Load& load)
    : network_(static_cast<std::size_t>(dlbench::model::element_count(load.graph.input_shape)),
               static_cast<std::size_t>(load.batch)),
      logits_(sdk::lower(load.graph, ops(), network_, std::size_t{0}).logits),
      optimizer_(load.recipe.optimizer),
      update_(optimizers().at(load.recipe.optimizer.name)) {
  if (load.threads != 1) {
    throw sdk::Unsupported("threads: these loops run on one");
  }
}

void TemplateSession::put(const sdk::Parameter& parameter, sdk::ConstTensor values) {
  Weights& weights = network_.weights(parameter.name);
  weights.layout.to_framework(values.values, weights.values);
  std::ranges::fill(weights.velocity, 0.0F);
}

void TemplateSession::get(const sdk::Parameter& parameter, sdk::Tensor values) {
  const Weights& weights = network_.weights(parameter.name);
  weights.layout.to_canonical(weights.values, values.values);
}

void TemplateSession::step(const sdk::Batch& batch, double rate) {
  const auto rows = static_cast<std::size_t>(batch.rows);
  network_.clear_gradients();
  network_.forward(batch.input, rows);
  score(batch);
  network_.backward(logits_, rows);
  for (const auto& weights : network_.all_weights()) {
    update_(*weights, optimizer_, rate);
  }
}

// softmax_cross_entropy: the mean loss and, in place, its gradient (softmax - target) / rows.
void TemplateSession::score(const sdk::Batch& batch) {
  Place& logits = network_.place(logits_);
  const auto rows = static_cast<std::size_t>(batch.rows);
  loss_ = 0.0;
  for (std::size_t r = 0; r < rows; ++r) {
    const float* x = logits.values.data() + r * logits.width;
    float* gradient = logits.gradient.data() + r * logits.width;
    const auto target = static_cast<std::size_t>(batch.target[r]);
    const double largest = *std::max_element(x, x + logits.width);
    double sum = 0.0;
    for (std::size_t c = 0; c < logits.width; ++c) {
      sum += std::exp(x[c] - largest);
    }
    loss_ += (std::log(sum) + largest - x[target]) / static_cast<double>(rows);
    for (std::size_t c = 0; c < logits.width; ++c) {
      const double share = std::exp(x[c] - largest) / sum;
      gradient[c] = static_cast<float>((share - (c == target ? 1.0 : 0.0)) / static_cast<double>(rows));
    }
  }
}

double TemplateSession::loss() {
  return loss_;
}

void TemplateSession::infer(const sdk::Batch& batch) {
  network_.forward(batch.input, static_cast<std::size_t>(batch.rows));
}

void TemplateSession::outputs(sdk::Tensor logits) {
  std::copy_n(network_.place(logits_).values.begin(), logits.values.size(), logits.values.begin());
}

std::vector<sdk::Setting> TemplateSession::effective() {
  return {{"threads", "1", "plain loops"}};
}

}  // namespace template_runner
