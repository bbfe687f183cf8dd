#include <utility>

#include "base/error.hpp"
#include "gate/experiment.hpp"

namespace dlbench::gate {

Result perform(const Experiment& experiment, oracle::Precision precision,
               const oracle::Arithmetic& arithmetic) {
  Result result;
  if (experiment.quantity == Quantity::logits) {
    for (const model::Batch& batch : experiment.batches) {
      result.logits.push_back(
          oracle::infer(experiment.graph, experiment.weights, batch, precision, arithmetic).logits);
    }
    return result;
  }
  DLBENCH_ASSERT(experiment.batches.size() == experiment.rates.size(), experiment.id);
  oracle::Trajectory run = oracle::train(experiment.graph, experiment.recipe, experiment.weights,
                                         experiment.batches, experiment.rates, precision, arithmetic);
  result.losses = std::move(run.losses);
  result.weights = std::move(run.weights);
  return result;
}

}  // namespace dlbench::gate
