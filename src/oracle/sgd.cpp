#include "oracle/sgd.hpp"

#include "base/error.hpp"

namespace dlbench::oracle {

std::vector<SgdSettings> sgd_settings(const model::Graph& graph, const model::Recipe& recipe,
                                      const Arithmetic& arithmetic) {
  const model::Optimizer& optimizer = recipe.optimizer;
  DLBENCH_ASSERT(optimizer.name == "sgd", "the oracle has no optimizer " + optimizer.name);
  std::vector<SgdSettings> settings;
  for (const model::Parameter& parameter : model::parameters(graph)) {
    const bool decays = parameter.role == model::ParameterRole::weight || optimizer.decay_bias;
    settings.push_back({arithmetic.rate_inside ? model::SgdForm::rate_inside : optimizer.form,
                        optimizer.momentum, decays ? optimizer.weight_decay : 0.0, arithmetic.dampening});
  }
  return settings;
}

template <typename T>
Sgd<T>::Sgd(const SgdSettings& settings)
    : form_(settings.form),
      momentum_(static_cast<T>(settings.momentum)),
      decay_(static_cast<T>(settings.decay)),
      gain_(static_cast<T>(1.0 - settings.dampening)) {}

template <typename T>
void Sgd<T>::update(std::vector<T>& weights, const std::vector<T>& gradient, double rate) {
  const T eta = static_cast<T>(rate);
  const bool is_inside = form_ == model::SgdForm::rate_inside;
  const T gain = velocity_.empty() ? T{1} : gain_;
  velocity_.resize(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const T slope = gain * (gradient[i] + decay_ * weights[i]);
    velocity_[i] = momentum_ * velocity_[i] + (is_inside ? eta * slope : slope);
    weights[i] -= is_inside ? velocity_[i] : eta * velocity_[i];
  }
}

template class Sgd<double>;
template class Sgd<float>;

}  // namespace dlbench::oracle
