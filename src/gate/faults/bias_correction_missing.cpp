#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!trains(experiment) || experiment.recipe.optimizer.name != "adam") {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.bias_correction_missing = true;
  return work;
}

}  // namespace

Fault bias_correction_missing() {
  return {"bias_correction_missing", "adam's means are used without the correction for their start at zero",
          "lenet", apply, "adam"};
}

}  // namespace dlbench::gate
