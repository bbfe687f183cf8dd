#include "gate/verification_batch.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "gate/deviations.hpp"
#include "gate/has_op.hpp"
#include "gate/limits.hpp"
#include "gate/parallel.hpp"
#include "oracle/updates.hpp"

namespace dlbench::gate {
namespace {

constexpr std::uint64_t places_stream = 1U << 20U;  // beyond the sub-streams of noise

// Appends rows of `from`.
void append(model::Batch& batch, const model::Batch& from, std::int64_t first, std::int64_t rows) {
  if (batch.input.shape.empty()) {
    batch.input.shape = from.input.shape;
    batch.input.shape.at(0) = 0;
  }
  batch.input.shape.at(0) += rows;
  const std::int64_t row_elements =
      static_cast<std::int64_t>(from.input.values.size()) / from.input.shape.at(0);
  const auto begin = from.input.values.begin() + row_elements * first;
  batch.input.values.insert(batch.input.values.end(), begin, begin + row_elements * rows);
  const std::int64_t targets = std::ssize(from.target) / from.input.shape.at(0);  // of one row
  const auto first_target = from.target.begin() + first * targets;
  batch.target.insert(batch.target.end(), first_target, first_target + rows * targets);
}

// What the near ties of some rows could do: for each the chance that rounding takes it for the other side,
// times the share of its layer that it switches. A flip among the few units of an upper layer moves every
// gradient below it more than one among the many of a lower layer.
struct Crossings {
  std::int64_t count = 0;
  double harm = 0.0;
};

double share_of_layer(const model::Graph& graph, std::size_t node) {
  return 1.0 / static_cast<double>(model::element_count(graph.nodes[node].output_shape));
}

// Per node whether at most one layer of weights lies between it and the sample.
std::vector<bool> shallow_nodes(const model::Graph& graph) {
  std::map<std::string, int> layers{{"input", 0}};
  std::vector<bool> shallow;
  for (const model::Node& node : graph.nodes) {
    int below = 0;
    for (const std::string& input : node.inputs) {
      below = std::max(below, layers.at(input));
    }
    layers[node.name] = below + (node.parameters.empty() ? 0 : 1);
    shallow.push_back(layers[node.name] <= 1);
  }
  return shallow;
}

// Per row of the batch.
std::vector<Crossings> crossings_of(const model::Graph& graph, const oracle::Margins& margins,
                                    std::int64_t rows) {
  std::vector<Crossings> result(static_cast<std::size_t>(rows));
  const auto take = [&](const std::vector<oracle::Margin>& all, double near) {
    for (const oracle::Margin& margin : all) {
      if (margin.distance < near) {
        Crossings& row = result[static_cast<std::size_t>(margin.row)];
        ++row.count;
        row.harm += (1.0 - margin.distance / near) * share_of_layer(graph, margin.node);
      }
    }
  };
  take(margins.relu, relu_margin);
  take(margins.pool, pool_margin);
  return result;
}

oracle::Margins margins_of(const model::Graph& graph, const model::Weights& weights,
                           const model::Batch& batch, std::span<const double> scales = {}) {
  return oracle::measure_margins(graph, weights, batch, std::max(relu_margin, pool_margin), scales);
}

// Rows that take one candidate, and the best for them so far.
struct Group {
  std::int64_t first = 0;
  std::int64_t rows = 0;
  int best = 0;  // number of its candidate
  Crossings crossings{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<double>::infinity()};
};

class Search {
 public:
  Search(const model::Graph& graph, std::span<const model::Weights> any, const model::Batch& real,
         const Candidates& candidates)
      : graph_(graph),
        real_(real),
        candidates_(candidates),
        tied_(candidates.keeps_background ? shallow_nodes(graph)
                                          : std::vector<bool>(graph.nodes.size(), false)) {
    const std::int64_t rows = real.input.shape.at(0);
    const std::int64_t group_rows = has_op(graph, "batch_norm") ? rows : 1;
    for (std::int64_t first = 0; first < rows; first += group_rows) {
      groups_.emplace_back(Group{.first = first, .rows = group_rows});
    }
    for (const model::Weights& weights : any) {
      // Nothing is nearer than 0: only the scales are wanted.
      sites_.emplace_back(weights, oracle::measure_margins(graph, weights, real, 0.0).scales);
    }
  }

  // Looks at one more candidate for the groups that have none without near ties; false: there is no such
  // group.
  bool look_at(int number) {
    std::vector<Group*> unsafe;
    for (Group& group : groups_) {
      if (group.crossings.count > 0) {
        unsafe.push_back(&group);
      }
    }
    const model::Batch noisy = candidate(number);
    // As many evaluations as there are threads: each reads all weights, so one for each row would be dear.
    const std::size_t parts = std::min(thread_count(), unsafe.size());
    for_each_index(parts, [&](std::size_t part) {
      const std::size_t begin = unsafe.size() * part / parts;
      const std::size_t end = unsafe.size() * (part + 1) / parts;
      improve({unsafe.begin() + static_cast<std::ptrdiff_t>(begin),
               unsafe.begin() + static_cast<std::ptrdiff_t>(end)},
              noisy, number);
    });
    return !unsafe.empty();
  }

  [[nodiscard]] VerificationBatch chosen() const {
    VerificationBatch result;
    for (const Group& group : groups_) {
      append(result.batch, candidate(group.best), group.first, group.rows);
      result.margins += group.crossings.count;
    }
    return result;
  }

 private:
  // Tokens are what they are: all candidates are alike.
  [[nodiscard]] model::Batch candidate(int number) const {
    if (model::input_kind(graph_) == model::InputKind::tokens) {
      return real_;
    }
    const std::uint64_t stream = candidates_.first + static_cast<std::uint64_t>(number);
    return candidates_.keeps_background
               ? with_noise_around(real_, candidates_.seed, stream, number / candidates_per_window)
               : with_noise(real_, candidates_.seed, stream);
  }

  void improve(const std::vector<Group*>& groups, const model::Batch& noisy, int number) {
    model::Batch together;
    for (const Group* const group : groups) {
      append(together, noisy, group->first, group->rows);
    }
    const std::vector<Crossings> rows = crossings_anywhere(together);
    auto row = rows.begin();
    for (Group* const group : groups) {
      Crossings sum;
      for (std::int64_t i = 0; i < group->rows; ++i, ++row) {
        sum.count += row->count;
        sum.harm += row->harm;
      }
      if (sum.harm < group->crossings.harm) {
        group->crossings = sum;
        group->best = number;
      }
    }
  }

  // Per row, summed over the sites.
  [[nodiscard]] std::vector<Crossings> crossings_anywhere(const model::Batch& batch) const {
    const std::int64_t rows = batch.input.shape[0];
    std::vector<Crossings> sums(static_cast<std::size_t>(rows));
    for (const Site& site : sites_) {
      oracle::Margins margins = margins_of(graph_, site.weights, batch, site.scales);
      std::erase_if(margins.pool,
                    [&](const oracle::Margin& m) { return m.distance == 0.0 && tied_[m.node]; });
      const std::vector<Crossings> here = crossings_of(graph_, margins, rows);
      for (std::size_t i = 0; i < here.size(); ++i) {
        sums[i].count += here[i].count;
        sums[i].harm += here[i].harm;
      }
    }
    return sums;
  }

  // Weights at which the batch may be met, and the magnitudes of the real batch there.
  struct Site {
    Site(const model::Weights& at, std::vector<double> magnitudes)
        : weights(at), scales(std::move(magnitudes)) {}
    const model::Weights& weights;
    std::vector<double> scales;
  };

  const model::Graph& graph_;
  const model::Batch& real_;
  Candidates candidates_;
  std::vector<bool> tied_;  // per node whether exact ties are wanted there
  std::vector<Group> groups_;
  std::vector<Site> sites_;
};

// The weights of one training run in double precision, moved on step by step.
class Run {
 public:
  Run(const Experiment& experiment, const oracle::Arithmetic& arithmetic)
      : experiment_(experiment),
        arithmetic_(arithmetic),
        updates_(experiment.graph, experiment.recipe, arithmetic),
        exact_(oracle::from_weights<double>(experiment.weights)) {}

  void advance(const model::Weights& weights, const model::Batch& batch, double rate) {
    oracle::Evaluation run =
        oracle::differentiate(experiment_.graph, weights, batch, oracle::Precision::fp64, arithmetic_);
    std::vector<oracle::Array<double>> gradients = exact_;  // for the shapes
    for (std::size_t i = 0; i < exact_.size(); ++i) {
      gradients[i].values = std::move(run.gradients[i]);
    }
    updates_.apply(exact_, std::move(gradients), batch.input.shape.at(0), rate, products_);
  }

  // The oracle differentiates at weights of single precision: 1e-8 beside the exact ones, far below any
  // margin.
  void round_into(model::Weights& weights) const {
    for (std::size_t i = 0; i < exact_.size(); ++i) {
      std::ranges::transform(exact_[i].values, weights[i].values.begin(),
                             [](double w) { return static_cast<float>(w); });
    }
  }

 private:
  const Experiment& experiment_;
  oracle::Arithmetic arithmetic_;
  oracle::Updates<double> updates_;
  oracle::Products<double> products_{0};
  std::vector<oracle::Array<double>> exact_;
};

}  // namespace

model::Batch first_rows(const model::Batch& batch, std::int64_t rows) {
  DLBENCH_ASSERT(!batch.input.shape.empty(), "a batch has rows");
  model::Batch first;
  append(first, batch, 0, std::min(rows, batch.input.shape[0]));
  return first;
}

model::Batch with_noise(model::Batch batch, std::uint64_t seed, std::uint64_t number) {
  const base::Random random(seed, base::Stream::verification, number);
  for (std::size_t i = 0; i < batch.input.values.size(); ++i) {
    batch.input.values[i] += largest_noise * random.uniform(i);
  }
  return batch;
}

model::Batch with_noise_around(model::Batch batch, std::uint64_t seed, std::uint64_t number, int window) {
  const model::Shape& shape = batch.input.shape;
  DLBENCH_ASSERT(shape.size() == 4, "pictures have a background");
  const std::array<std::int64_t, 2> extents = {shape[2], shape[3]};
  const std::int64_t planes = shape[1];
  const model::Batch noisy = with_noise(batch, seed, number);
  const base::Random places(seed, base::Stream::verification, places_stream + number);
  for (std::int64_t row = 0; row < shape[0]; ++row) {
    std::array<std::int64_t, 2> begin{};
    std::array<std::int64_t, 2> end{};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const std::int64_t kept = extents[axis] >> window;
      begin[axis] = static_cast<std::int64_t>(places.below(
          static_cast<std::uint64_t>(row) * 2 + axis, static_cast<std::uint64_t>(extents[axis] - kept + 1)));
      end[axis] = begin[axis] + kept;
    }
    for (std::int64_t at = 0; at < planes * extents[0] * extents[1]; ++at) {
      const std::int64_t y = at / extents[1] % extents[0];
      const std::int64_t x = at % extents[1];
      const auto i = static_cast<std::size_t>(row * planes * extents[0] * extents[1] + at);
      const bool is_inside = y >= begin[0] && y < end[0] && x >= begin[1] && x < end[1];
      if (!is_inside || batch.input.values[i] != 0.0F) {
        batch.input.values[i] = noisy.input.values[i];
      }
    }
  }
  return batch;
}

VerificationBatch choose_batch(const model::Graph& graph, std::span<const model::Weights> any,
                               const model::Batch& real, const Candidates& candidates) {
  DLBENCH_ASSERT(!any.empty(), "near ties are near at some weights");
  Search search(graph, any, real, candidates);
  int number = 0;
  while (number < candidates.count && search.look_at(number)) {
    ++number;
  }
  return search.chosen();
}

VerificationBatch choose_batch(const model::Graph& graph, const model::Weights& weights,
                               const model::Batch& real, const Candidates& candidates) {
  return choose_batch(graph, {&weights, 1}, real, candidates);
}

void choose_batches(Experiment& experiment, const Candidates& candidates) {
  DLBENCH_ASSERT(experiment.rates.size() == experiment.batches.size(), experiment.id);
  std::vector<Run> runs;
  runs.emplace_back(experiment, oracle::Arithmetic{});
  for (const oracle::Arithmetic& arithmetic : parting_arithmetics(experiment)) {
    runs.emplace_back(experiment, arithmetic);
  }
  std::vector<model::Weights> any(runs.size(), experiment.weights);  // of each run
  Candidates own = candidates;
  for (std::size_t step = 0; step < experiment.batches.size(); ++step) {
    model::Batch& batch = experiment.batches[step];
    VerificationBatch chosen = choose_batch(experiment.graph, any, batch, own);
    batch = std::move(chosen.batch);
    if (chosen.margins > 0) {
      experiment.norm = Norm::euclidean;
    }
    own.first += static_cast<std::uint64_t>(own.count);
    for_each_index(runs.size(), [&](std::size_t i) {
      runs[i].advance(any[i], batch, experiment.rates[step]);
      runs[i].round_into(any[i]);
    });
  }
}

}  // namespace dlbench::gate
