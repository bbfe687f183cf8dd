#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!trains(experiment) || !experiment.recipe.optimizer.nesterov) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.experiment.recipe.optimizer.nesterov = false;
  return work;
}

}  // namespace

Fault nesterov_ignored() {
  return {"nesterov_ignored", "the momentum does not look ahead although the recipe asks for Nesterov's form",
          "lenet", apply, "nesterov"};
}

}  // namespace dlbench::gate
