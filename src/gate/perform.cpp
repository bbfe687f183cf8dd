#include <utility>

#include "base/error.hpp"
#include "gate/experiment.hpp"
#include "gate/parallel.hpp"

namespace dlbench::gate {

Result perform(const Experiment& experiment, oracle::Precision precision,
               const oracle::Arithmetic& arithmetic) {
  use_one_blas_thread();
  Result result;
  if (experiment.quantity == Quantity::logits) {
    for (const model::Batch& batch : experiment.batches) {
      result.logits.push_back(
          oracle::infer(experiment.graph, experiment.weights, batch, precision, arithmetic).logits);
    }
    return result;
  }
  DLBENCH_ASSERT(experiment.batches.size() == experiment.rates.size(), experiment.id);
  oracle::Trajectory run =
      oracle::train(experiment.graph, experiment.recipe, experiment.weights, experiment.batches,
                    experiment.rates, precision, arithmetic, evaluated_batch(experiment));
  result.losses = std::move(run.losses);
  result.weights = std::move(run.weights);
  if (experiment.evaluates) {
    result.logits.push_back(std::move(run.logits));
  }
  return result;
}

std::vector<Result> perform_repeats(const Experiment& experiment, oracle::Precision precision,
                                    oracle::Arithmetic arithmetic) {
  std::vector<Result> results;
  for (int repeat = 0; repeat < experiment.repeats; ++repeat) {
    if (repeat > 0 && !draws(experiment.quantity)) {
      results.push_back(results.front());
      continue;
    }
    arithmetic.dropping.run = static_cast<std::uint64_t>(repeat);
    results.push_back(perform(experiment, precision, arithmetic));
  }
  return results;
}

}  // namespace dlbench::gate
