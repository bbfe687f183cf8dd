#include "gate/verification_batch.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "gate/limits.hpp"
#include "oracle/updates.hpp"

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

// Some rows of a batch and the best noise for them so far.
struct Group {
  std::int64_t first = 0;
  std::int64_t rows = 0;
  model::Batch best;
  Crossings crossings{std::numeric_limits<std::int64_t>::max(), 0};
};

std::vector<Group> split(const model::Batch& batch) {
  std::vector<Group> groups;
  const std::int64_t rows = batch.input.shape.at(0);
  for (std::int64_t first = 0; first < rows; first += searched_rows) {
    groups.emplace_back();
    groups.back().first = first;
    groups.back().rows = std::min(searched_rows, rows - first);
  }
  return groups;
}

bool all_safe(const std::vector<Group>& groups) {
  return std::ranges::all_of(groups, [](const Group& group) { return group.crossings == Crossings{}; });
}

void improve(Group& group, const model::Graph& graph, const model::Weights& weights, model::Batch candidate) {
  const Crossings crossings =
      count_crossings(oracle::infer(graph, weights, candidate, oracle::Precision::fp64));
  if (crossings < group.crossings) {
    group.crossings = crossings;
    group.best = std::move(candidate);
  }
}

model::Batch rows_of(const model::Batch& batch, std::int64_t first, std::int64_t rows) {
  model::Batch result;
  result.input.shape = batch.input.shape;
  result.input.shape.at(0) = rows;
  const std::int64_t elements = model::element_count(result.input.shape);
  const auto begin = batch.input.values.begin() + elements / rows * first;
  result.input.values.assign(begin, begin + elements);
  result.target.assign(batch.target.begin() + first, batch.target.begin() + first + rows);
  return result;
}

}  // namespace

model::Batch first_rows(const model::Batch& batch, std::int64_t rows) {
  DLBENCH_ASSERT(!batch.input.shape.empty(), "a batch has rows");
  return rows_of(batch, 0, std::min(rows, batch.input.shape[0]));
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
  std::vector<Group> groups = split(real);
  for (int i = 0; i < candidates.count && !all_safe(groups); ++i) {
    const model::Batch noisy =
        with_noise(real, candidates.seed, candidates.first + static_cast<std::uint64_t>(i));
    for (Group& group : groups) {
      if (group.crossings != Crossings{}) {
        improve(group, graph, weights, rows_of(noisy, group.first, group.rows));
      }
    }
  }
  VerificationBatch chosen;
  chosen.batch.input.shape = real.input.shape;
  for (const Group& group : groups) {
    const model::Batch& best = group.best;
    chosen.batch.input.values.insert(chosen.batch.input.values.end(), best.input.values.begin(),
                                     best.input.values.end());
    chosen.batch.target.insert(chosen.batch.target.end(), best.target.begin(), best.target.end());
    chosen.margins += group.crossings.relu + group.crossings.pool;
  }
  return chosen;
}

void choose_batches(Experiment& experiment, const Candidates& candidates) {
  DLBENCH_ASSERT(experiment.rates.size() == experiment.batches.size(), experiment.id);
  oracle::Updates<double> updates(experiment.graph, experiment.recipe, oracle::Arithmetic{});
  oracle::Products<double> products(0);
  std::vector<oracle::Array<double>> exact = oracle::from_weights<double>(experiment.weights);
  // The oracle differentiates at weights of single precision: 1e-8 beside the exact ones, far below any
  // margin.
  model::Weights weights = experiment.weights;
  Candidates own = candidates;
  for (std::size_t step = 0; step < experiment.batches.size(); ++step) {
    model::Batch& batch = experiment.batches[step];
    batch = choose_batch(experiment.graph, weights, batch, own).batch;
    own.first += static_cast<std::uint64_t>(own.count);
    oracle::Evaluation run = oracle::differentiate(experiment.graph, weights, batch, oracle::Precision::fp64);
    std::vector<oracle::Array<double>> gradients = exact;  // for the shapes
    for (std::size_t i = 0; i < exact.size(); ++i) {
      gradients[i].values = std::move(run.gradients[i]);
    }
    updates.apply(exact, std::move(gradients), batch.input.shape.at(0), experiment.rates[step], products);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      std::ranges::transform(exact[i].values, weights[i].values.begin(),
                             [](double w) { return static_cast<float>(w); });
    }
  }
}

}  // namespace dlbench::gate
