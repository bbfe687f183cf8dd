#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"
#include "gate/masks.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!trains(experiment) || dropout_rates(experiment.graph).empty()) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.dropping.one_mask = true;
  return work;
}

}  // namespace

Fault dropout_one_mask() {
  return {"dropout_one_mask", "dropout draws one mask and uses it in every step", "dropped", apply};
}

}  // namespace dlbench::gate
