#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!trains(experiment) || experiment.recipe.clip.by == model::ClipBy::none) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.experiment.recipe.clip = {};
  return work;
}

}  // namespace

Fault clip_ignored() {
  return {"clip_ignored", "gradients are not clipped", "lenet", apply, "clip_norm"};
}

}  // namespace dlbench::gate
