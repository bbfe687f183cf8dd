#include "gate/faults/faults.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!experiment.evaluates) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.stale_evaluation = true;
  return work;
}

}  // namespace

Fault stale_evaluation() {
  return {"stale_evaluation",
          "evaluation reads the weights from before training (a test network that shares nothing with the "
          "trained one)",
          "lenet", apply};
}

}  // namespace dlbench::gate
