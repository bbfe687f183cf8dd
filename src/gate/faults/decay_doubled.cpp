#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!trains(experiment) || experiment.recipe.optimizer.weight_decay == 0.0) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.experiment.recipe.optimizer.weight_decay *= 2.0;
  return work;
}

}  // namespace

Fault decay_doubled() {
  return {"decay_doubled",
          "weight decay is twice as strong (the gradient of decay * w^2 for decay / 2 * w^2)", "lenet",
          apply};
}

}  // namespace dlbench::gate
