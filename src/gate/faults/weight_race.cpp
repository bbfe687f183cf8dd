#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  const bool waits = experiment.recipe.clip.by == model::ClipBy::global_norm;  // for every gradient
  if (!trains(experiment) || experiment.weights.size() < 2 || waits) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.weight_race = true;
  return work;
}

}  // namespace

Fault weight_race() {
  return {"weight_race",
          "weights are updated before the gradient below them is computed (Keras 2.2.4 on TensorFlow 1)",
          "lenet", apply};
}

}  // namespace dlbench::gate
