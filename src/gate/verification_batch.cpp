#include "gate/verification_batch.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "gate/limits.hpp"
#include "oracle/oracle.hpp"

namespace dlbench::gate {
namespace {

std::int64_t count_below(const std::vector<double>& sorted, double limit) {
  return std::lower_bound(sorted.begin(), sorted.end(), limit) - sorted.begin();
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
                               const model::Batch& real, std::uint64_t seed, int candidates) {
  VerificationBatch best;
  for (int i = 0; i < candidates; ++i) {
    model::Batch batch = with_noise(real, seed, static_cast<std::uint64_t>(i));
    const oracle::Evaluation run = oracle::differentiate(graph, weights, batch, oracle::Precision::fp64);
    const std::int64_t margins =
        count_below(run.relu_margins, flip_margin) + count_below(run.pool_margins, flip_margin);
    if (i == 0 || margins < best.margins) {
      best = {std::move(batch), margins};
    }
    if (best.margins == 0) {
      break;
    }
  }
  return best;
}

}  // namespace dlbench::gate
