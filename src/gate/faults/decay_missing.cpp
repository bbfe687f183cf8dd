#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!trains(experiment) || experiment.recipe.optimizer.weight_decay == 0.0) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.experiment.recipe.optimizer.weight_decay = 0.0;
  return work;
}

}  // namespace

Fault decay_missing() {
  return {"decay_missing", "weight decay is not applied", "lenet", apply};
}

}  // namespace dlbench::gate
