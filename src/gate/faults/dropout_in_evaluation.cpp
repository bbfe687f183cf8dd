#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"
#include "gate/masks.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (trains(experiment) || dropout_rates(experiment.graph).empty()) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.dropping.in_evaluation = true;
  return work;
}

}  // namespace

Fault dropout_in_evaluation() {
  return {"dropout_in_evaluation",
          "dropout drops elements in evaluation too (a training flag that is never cleared)", "dropped",
          apply};
}

}  // namespace dlbench::gate
