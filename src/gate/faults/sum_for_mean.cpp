#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!trains(experiment) || experiment.batches.front().target.size() < 2) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  for (std::size_t i = 0; i < work.experiment.rates.size(); ++i) {
    work.experiment.rates[i] *= static_cast<double>(experiment.batches[i].target.size());
  }
  // The decay term is no sum: it keeps its size in (n g + decay w) = n (g + decay / n w).
  work.experiment.recipe.optimizer.weight_decay /=
      static_cast<double>(experiment.batches.front().target.size());
  return work;
}

}  // namespace

Fault sum_for_mean() {
  return {"sum_for_mean", "gradients are sums over the batch, not means", "lenet", apply};
}

}  // namespace dlbench::gate
