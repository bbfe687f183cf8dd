#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"
#include "model/optimizer_spec.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  const model::OptimizerSpec& spec = model::optimizer_spec(experiment.recipe.optimizer.name);
  if (!trains(experiment) || !model::has_setting(spec.settings, "epsilon")) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.epsilon_misplaced = true;
  return work;
}

}  // namespace

Fault epsilon_misplaced() {
  return {"epsilon_misplaced",
          "epsilon stands elsewhere: at adam's uncorrected root, or on the other side of the root", "lenet",
          apply, "adam"};
}

}  // namespace dlbench::gate
