#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!trains(experiment) || experiment.batches.front().target.size() < 2) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.sum_over_batch = true;
  return work;
}

}  // namespace

Fault sum_for_mean() {
  return {"sum_for_mean", "gradients are sums over the batch, not means", "lenet", apply};
}

}  // namespace dlbench::gate
