#include "gate/faults/faults.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!experiment.evaluates || experiment.recipe.weight_ema.decay == 0.0) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.experiment.recipe.weight_ema = {};
  return work;
}

}  // namespace

Fault average_ignored() {
  return {"average_ignored", "evaluation reads the trained weights instead of their moving averages", "lenet",
          apply, "weight_ema"};
}

}  // namespace dlbench::gate
