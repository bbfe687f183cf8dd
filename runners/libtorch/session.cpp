#include "session.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>
#include <utility>

#include "ops.hpp"

namespace runner {

namespace sdk = dlbench::sdk;

namespace {

// "ATen parallel backend: OpenMP" is one line of what ATen says about itself.
std::string parallel_backend() {
  std::istringstream lines(at::get_parallel_info());
  const std::string label = "ATen parallel backend: ";
  std::string line;
  while (std::getline(lines, line)) {
    if (line.rfind(label, 0) == 0) {
      return line.substr(label.size());
    }
  }
  return "unknown";
}

// from_blob wants a mutable pointer; nothing writes to a batch.
torch::Tensor alias(const std::int64_t* values, const std::vector<std::int64_t>& shape) {
  return torch::from_blob(const_cast<std::int64_t*>(values), shape, torch::TensorOptions(torch::kInt64));
}

}  // namespace

Session::Session(const sdk::Load& load) : targets_per_sample_(load.graph.targets_per_sample) {
  at::set_num_threads(load.threads);
  torch::manual_seed(load.recipe.initialiser.seed);  // of dropout
  input_shape_.push_back(load.batch);
  input_shape_.insert(input_shape_.end(), load.graph.input_shape.begin(), load.graph.input_shape.end());
  logits_value_ = sdk::lower<Network, Value>(load.graph, ops(), *network_, 0).logits;
  values_.resize(network_->calls.size() + 1);
  dead_ = last_readings(network_->calls, logits_value_);
  if (load.mode == sdk::Mode::train) {
    optimizer_ = optimizers().at(load.recipe.optimizer.name)(load.recipe, *network_);
    network_->train();
  } else {
    network_->eval();
  }
}

torch::Tensor Session::tensor(const std::string& parameter) const {
  return std::ranges::find_if(network_->weights,
                              [&](const Weights& entry) { return entry.parameter.name == parameter; })
      ->values;
}

void Session::put(const sdk::Parameter& parameter, sdk::ConstTensor values) {
  const torch::NoGradGuard no_grad;
  // from_blob wants a mutable pointer; copy_ only reads.
  tensor(parameter.name).copy_(torch::from_blob(const_cast<float*>(values.values.data()), parameter.shape));
  if (optimizer_) {
    optimizer_->reset();
  }
}

void Session::get(const sdk::Parameter& parameter, sdk::Tensor values) {
  const torch::NoGradGuard no_grad;
  torch::from_blob(values.values.data(), parameter.shape).copy_(tensor(parameter.name));
}

torch::Tensor Session::input_of(const sdk::Batch& batch) const {
  std::vector<std::int64_t> shape = input_shape_;
  shape[0] = batch.rows;
  return batch.tokens != nullptr ? alias(batch.tokens, shape)
                                 : torch::from_blob(const_cast<float*>(batch.input), shape);
}

torch::Tensor Session::forward(torch::Tensor input) {
  values_[0] = std::move(input);
  for (std::size_t i = 0; i < network_->calls.size(); ++i) {
    values_[i + 1] = network_->calls[i].compute(values_);
    // As in a forward pass written by hand: what stays longer costs memory that the next step cannot use
    // again.
    for (const Value value : dead_[i]) {
      values_[value].reset();
    }
  }
  return std::move(values_[logits_value_]);
}

void Session::step(const sdk::Batch& batch, double rate) {
  if (!network_->is_training()) {
    network_->train();
  }
  optimizer_->zero_grad();
  const torch::Tensor logits = forward(input_of(batch));
  loss_ = network_->loss(logits, alias(batch.target, {batch.rows * targets_per_sample_}));
  loss_.backward();
  optimizer_->step(rate);
}

double Session::loss() {
  return loss_.item<double>();
}

void Session::infer(const sdk::Batch& batch) {
  const torch::NoGradGuard no_grad;
  if (network_->is_training()) {
    network_->eval();
  }
  logits_ = forward(input_of(batch));
}

void Session::outputs(sdk::Tensor logits) {
  const torch::NoGradGuard no_grad;
  torch::from_blob(logits.values.data(), logits_.sizes()).copy_(logits_);
}

std::vector<sdk::Setting> Session::effective() {
  return {{"threads", std::to_string(at::get_num_threads()), "at::get_num_threads()"},
          {"interop_threads", std::to_string(at::get_num_interop_threads()), "at::get_num_interop_threads()"},
          {"parallel_backend", parallel_backend(), "at::get_parallel_info()"},
          {"mkldnn", at::globalContext().userEnabledMkldnn() && at::hasMKLDNN() ? "on" : "off",
           "at::Context::userEnabledMkldnn()"}};
}

}  // namespace runner
