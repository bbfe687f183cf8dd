#include "oracle/optimizer.hpp"

#include "base/error.hpp"
#include "oracle/optimizers/optimizers.hpp"

namespace dlbench::oracle {

std::vector<OptimizerSettings> optimizer_settings(const model::Graph& graph, const model::Recipe& recipe,
                                                  const Arithmetic& arithmetic) {
  std::vector<OptimizerSettings> settings;
  for (const model::Parameter& parameter : model::parameters(graph)) {
    OptimizerSettings one{recipe.optimizer, arithmetic.dampening, arithmetic.epsilon_misplaced,
                          arithmetic.bias_correction_missing};
    if (arithmetic.rate_inside) {
      one.values.form = model::SgdForm::rate_inside;
    }
    if (!model::decays(parameter.role, recipe.optimizer)) {
      one.values.weight_decay = 0.0;
    }
    settings.push_back(std::move(one));
  }
  return settings;
}

template <typename T>
std::unique_ptr<Optimizer<T>> make_optimizer(const OptimizerSettings& settings) {
  const std::string& name = settings.values.name;
  if (name == "adadelta") {
    return make_adadelta<T>(settings);
  }
  if (name == "adagrad") {
    return make_adagrad<T>(settings);
  }
  if (name == "adam") {
    return make_adam<T>(settings);
  }
  if (name == "rmsprop") {
    return make_rmsprop<T>(settings);
  }
  DLBENCH_ASSERT(name == "sgd", "the oracle has no optimizer " + name);
  return make_sgd<T>(settings);
}

template std::unique_ptr<Optimizer<double>> make_optimizer(const OptimizerSettings& settings);
template std::unique_ptr<Optimizer<float>> make_optimizer(const OptimizerSettings& settings);

}  // namespace dlbench::oracle
