#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"
#include "gate/has_op.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!evaluates(experiment) || !has_op(experiment.graph, "batch_norm")) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.batch_statistics_always = true;
  return work;
}

}  // namespace

Fault batch_statistics_in_evaluation() {
  return {"batch_statistics_in_evaluation", "evaluation normalises with the statistics of its own batch",
          "normalised", apply};
}

}  // namespace dlbench::gate
