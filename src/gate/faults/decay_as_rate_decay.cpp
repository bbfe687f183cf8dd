#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!trains(experiment) || experiment.recipe.optimizer.weight_decay == 0.0) {
    return std::nullopt;
  }
  const double decay = experiment.recipe.optimizer.weight_decay;
  FaultyWork work = with_rates(
      experiment, [decay](std::size_t step) { return 1.0 / (1.0 + decay * static_cast<double>(step)); });
  work.experiment.recipe.optimizer.weight_decay = 0.0;
  return work;
}

}  // namespace

Fault decay_as_rate_decay() {
  return {"decay_as_rate_decay", "the weight decay is passed as a decay of the learning rate", "lenet",
          apply};
}

}  // namespace dlbench::gate
