#include "session.hpp"

#include <omp.h>

#include <algorithm>
#include <string>

#include "ops.hpp"

namespace runner {

namespace sdk = dlbench::sdk;

namespace {

const void* input_of(const sdk::Batch& batch) {
  return batch.tokens != nullptr ? static_cast<const void*>(batch.tokens) : batch.input;
}

}  // namespace

Session::Session(const sdk::Load& load) : work_(load.graph), network_{work_, {}, {}} {
  if (omp_get_max_threads() != load.threads) {
    throw sdk::Unsupported("threads " + std::to_string(load.threads) + ": MXNet took " +
                           std::to_string(omp_get_max_threads()) + " when it was loaded (OMP_NUM_THREADS)");
  }
  check(MXRandomSeed(static_cast<int>(load.recipe.initialiser.seed)));  // of dropout
  const auto lowered = sdk::lower(work_, ops(), network_, variable("input"));
  const bool trains = load.mode == sdk::Mode::train;
  const Symbols symbols{lowered.logits, trains ? lowered.loss : Symbol()};
  sizes_.emplace_back(network_, symbols, load.batch);
  if (load.partial > 0 && load.partial != load.batch) {
    sizes_.emplace_back(network_, symbols, load.partial);
  }
  if (trains) {
    optimizer_ = optimizers().at(load.recipe.optimizer.name)(load.recipe, network_.weights);
  }
}

Executors& Session::executors(std::int64_t rows) {
  for (Executors& size : sizes_) {
    if (size.rows() == rows) {
      return size;
    }
  }
  throw sdk::Unsupported("a batch of " + std::to_string(rows) + " rows");
}

const Array& Session::array(const std::string& parameter) const {
  return std::ranges::find_if(network_.weights,
                              [&](const Weights& entry) { return entry.parameter.name == parameter; })
      ->values;
}

void Session::put(const sdk::Parameter& parameter, sdk::ConstTensor values) {
  copy_in(array(parameter.name), values.values.data(), values.values.size());
  if (optimizer_) {
    optimizer_->reset();
  }
}

void Session::get(const sdk::Parameter& parameter, sdk::Tensor values) {
  copy_out(array(parameter.name), values.values.data(), values.values.size());
}

void Session::step(const sdk::Batch& batch, double rate) {
  Executors& bound = executors(batch.rows);
  bound.load_input(input_of(batch));
  bound.load_target(batch.target);
  bound.forward_backward();
  optimizer_->update(rate);
  last_ = &bound;
}

double Session::loss() {
  return last_->loss();
}

void Session::infer(const sdk::Batch& batch) {
  Executors& bound = executors(batch.rows);
  bound.load_input(input_of(batch));
  bound.evaluate();
  last_ = &bound;
}

void Session::outputs(sdk::Tensor logits) {
  last_->logits(logits.values.data(), logits.values.size());
}

void Session::drain() {
  check(MXNDArrayWaitAll());
}

std::vector<sdk::Setting> Session::effective() {
  return {{"threads", std::to_string(omp_get_max_threads()), "omp_get_max_threads() of MXNet's OpenMP"}};
}

}  // namespace runner
