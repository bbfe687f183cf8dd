#include "sgd.hpp"

namespace template_runner {
namespace {

using dlbench::model::Optimizer;
using dlbench::model::SgdForm;

// Where the rate stands decides what happens to old velocity when the rate changes; see docs/gate.md.
void sgd(Weights& weights, const Optimizer& optimizer, double rate) {
  const bool decays = dlbench::model::decays(weights.parameter.role, optimizer);
  const auto decay = static_cast<float>(decays ? optimizer.weight_decay : 0.0);
  const auto momentum = static_cast<float>(optimizer.momentum);
  const auto eta = static_cast<float>(rate);
  const bool inside = optimizer.form == SgdForm::rate_inside;
  for (std::size_t i = 0; i < weights.values.size(); ++i) {
    const float gradient = weights.gradient[i] + decay * weights.values[i];
    weights.velocity[i] = momentum * weights.velocity[i] + (inside ? eta * gradient : gradient);
    weights.values[i] -= inside ? weights.velocity[i] : eta * weights.velocity[i];
  }
}

}  // namespace

const dlbench::sdk::Table<Update>& optimizers() {
  static const dlbench::sdk::Table<Update> table("optimizer", {{"sgd", sgd}});
  return table;
}

}  // namespace template_runner
