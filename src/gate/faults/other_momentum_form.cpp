#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (experiment.rates.size() < 2 || experiment.recipe.optimizer.momentum == 0.0) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  model::SgdForm& form = work.experiment.recipe.optimizer.form;
  form = form == model::SgdForm::rate_inside ? model::SgdForm::rate_outside : model::SgdForm::rate_inside;
  return work;
}

}  // namespace

Fault other_momentum_form() {
  return {"other_momentum_form",
          "the rate stands on the other side of the momentum: another step as soon as the rate changes",
          "lenet",
          apply,
          "sgd",
          "momentum=rate_inside"};
}

}  // namespace dlbench::gate
