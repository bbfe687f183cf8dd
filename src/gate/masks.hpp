// Dropout is random, so no trajectory with it has a right result. It is proved by itself: what it draws on a
// network that shows it (dropout.masks), and that a step computes with the mask that it drew
// (dropout.replay).
#pragma once

#include <string>
#include <vector>

#include "gate/gate.hpp"

namespace dlbench::gate {

// The rates above 0 in the graph, ascending, each once.
[[nodiscard]] std::vector<double> dropout_rates(const model::Graph& graph);
// The same graph with other rates; one with every dropout at rate 0.
[[nodiscard]] model::Graph with_dropout_rates(model::Graph graph, double (*changed)(double rate));
[[nodiscard]] model::Graph without_dropout(model::Graph graph);

// Two dropouts of the same ones, each in front of a dense layer whose weights are zero: the gradients of
// those weights are the masks of both samples, mixed by known factors. Many repeats of one step.
[[nodiscard]] Experiment masks_experiment(double rate, const model::Recipe& recipe);

// One sample through dense, dropout, dense: a column of zeros in the gradient of the upper weights is a
// dropped unit.
[[nodiscard]] Work replay_work(double rate, const model::Recipe& recipe);
// What is right beside the mask that `seen` shows.
[[nodiscard]] Result replayed(const Experiment& experiment, const Result& seen);

// One property of the masks over all repeats.
struct MaskStatistic {
  std::string name;  // "values", "share", "correlation of steps", …
  double expected = 0.0;
  double seen = 0.0;
  double limit = 0.0;  // largest |seen - expected|; for the values one of rounding, else five sigma

  [[nodiscard]] double error() const;  // infinite where something is missing or no number
};
[[nodiscard]] std::vector<MaskStatistic> mask_statistics(const Experiment& experiment,
                                                         const std::vector<Result>& repeats);

[[nodiscard]] double error_over_limit(const std::vector<MaskStatistic>& statistics);
[[nodiscard]] std::vector<record::Check> checks_of(const Experiment& experiment,
                                                   const std::vector<MaskStatistic>& statistics);
// A sentence on the first one beyond its limit; empty: there is none.
[[nodiscard]] std::string first_difference(const Experiment& experiment,
                                           const std::vector<MaskStatistic>& statistics);
// Whether the same ones are beyond their limits, by about as much.
[[nodiscard]] bool is_alike(const std::vector<MaskStatistic>& left, const std::vector<MaskStatistic>& right);

}  // namespace dlbench::gate
