#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  const model::Optimizer& optimizer = experiment.recipe.optimizer;
  if (experiment.rates.size() < 2 || optimizer.name != "sgd" || optimizer.momentum == 0.0) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.dampening = optimizer.momentum;
  return work;
}

}  // namespace

Fault dampening() {
  return {"dampening",
          "gradients enter the momentum with 1 - momentum from the second step on, the default of Torch 7",
          "lenet", apply};
}

}  // namespace dlbench::gate
