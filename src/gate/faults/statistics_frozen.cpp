#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"
#include "gate/has_op.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!trains(experiment) || !has_op(experiment.graph, "batch_norm")) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.statistics_frozen = true;
  return work;
}

}  // namespace

Fault statistics_frozen() {
  return {"statistics_frozen",
          "training does not update the running statistics (TensorFlow 1's forgotten update ops)",
          "normalised", apply};
}

}  // namespace dlbench::gate
