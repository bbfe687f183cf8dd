#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (experiment.rates.size() < 2 || experiment.recipe.optimizer.momentum == 0.0) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.dampening = experiment.recipe.optimizer.momentum;
  return work;
}

}  // namespace

Fault dampening() {
  return {"dampening",
          "gradients enter the momentum with 1 - momentum from the second step on, the default of Torch 7",
          "lenet", apply};
}

}  // namespace dlbench::gate
