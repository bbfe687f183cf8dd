#include "gate/verification_batch.hpp"

#include <algorithm>
#include <compare>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "gate/limits.hpp"
#include "oracle/sgd.hpp"

namespace dlbench::gate {
namespace {

std::int64_t count_below(const std::vector<double>& sorted, double limit) {
  return std::lower_bound(sorted.begin(), sorted.end(), limit) - sorted.begin();
}

// A flipped relu switches a whole unit for one sample, a flipped maximum moves one gradient by a cell: relus
// count first, and with a wider margin.
struct Crossings {
  std::int64_t relu = 0;
  std::int64_t pool = 0;
  auto operator<=>(const Crossings&) const = default;
};

Crossings count_crossings(const oracle::Evaluation& run) {
  return {count_below(run.relu_margins, relu_margin), count_below(run.pool_margins, pool_margin)};
}

}  // namespace

model::Batch first_rows(const model::Batch& batch, std::int64_t rows) {
  DLBENCH_ASSERT(!batch.input.shape.empty(), "a batch has rows");
  const std::int64_t kept = std::min(rows, batch.input.shape[0]);
  model::Batch result;
  result.input.shape = batch.input.shape;
  result.input.shape[0] = kept;
  const std::int64_t elements = model::element_count(result.input.shape);
  result.input.values.assign(batch.input.values.begin(), batch.input.values.begin() + elements);
  result.target.assign(batch.target.begin(), batch.target.begin() + kept);
  return result;
}

model::Batch with_noise(model::Batch batch, std::uint64_t seed, std::uint64_t number) {
  const base::Random random(seed, base::Stream::verification, number);
  for (std::size_t i = 0; i < batch.input.values.size(); ++i) {
    batch.input.values[i] += largest_noise * random.uniform(i);
  }
  return batch;
}

VerificationBatch choose_batch(const model::Graph& graph, const model::Weights& weights,
                               const model::Batch& real, const Candidates& candidates) {
  VerificationBatch best;
  Crossings fewest;
  for (int i = 0; i < candidates.count; ++i) {
    model::Batch batch = with_noise(real, candidates.seed, candidates.first + static_cast<std::uint64_t>(i));
    oracle::Evaluation run = oracle::differentiate(graph, weights, batch, oracle::Precision::fp64);
    const Crossings crossings = count_crossings(run);
    if (i == 0 || crossings < fewest) {
      fewest = crossings;
      best = {std::move(batch), crossings.relu + crossings.pool, std::move(run)};
    }
    if (best.margins == 0) {
      break;
    }
  }
  return best;
}

void choose_batches(Experiment& experiment, const Candidates& candidates) {
  DLBENCH_ASSERT(experiment.rates.size() == experiment.batches.size(), experiment.id);
  const std::vector<oracle::SgdSettings> settings =
      oracle::sgd_settings(experiment.graph, experiment.recipe, oracle::Arithmetic{});
  std::vector<oracle::Sgd<double>> optimizers(settings.begin(), settings.end());
  std::vector<oracle::Values> exact;
  for (const model::Tensor& tensor : experiment.weights) {
    exact.emplace_back(tensor.values.begin(), tensor.values.end());
  }
  // The oracle differentiates at weights of single precision: 1e-8 beside the exact ones, far below any
  // margin.
  model::Weights weights = experiment.weights;
  Candidates own = candidates;
  for (std::size_t step = 0; step < experiment.batches.size(); ++step) {
    VerificationBatch chosen = choose_batch(experiment.graph, weights, experiment.batches[step], own);
    experiment.batches[step] = std::move(chosen.batch);
    own.first += static_cast<std::uint64_t>(own.count);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      optimizers[i].update(exact[i], chosen.run.gradients[i], experiment.rates[step]);
      std::ranges::transform(exact[i], weights[i].values.begin(),
                             [](double w) { return static_cast<float>(w); });
    }
  }
}

}  // namespace dlbench::gate
