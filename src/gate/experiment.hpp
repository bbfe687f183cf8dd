// An experiment: one piece of work whose numbers a runner, the oracle and every simulated fault can all
// produce. The gate is a list of experiments and a comparison of their results; nothing else is ever
// observed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/graph.hpp"
#include "model/recipe.hpp"
#include "oracle/oracle.hpp"

namespace dlbench::gate {

enum class Quantity { logits, gradient, delta };  // what is judged; losses are judged beside each

// The host runs it on a runner as: load(graph, recipe, batch rows), put(weights), then infer or train, then
// get.
struct Experiment {
  std::string id;  // "function.logits", "function.gradient", "partial.gradient", "ties", "data.order",
                   // "steps.constant", "steps.changing", "steps.stress", "timed.steps"
  Quantity quantity = Quantity::logits;
  model::Graph graph;
  model::Recipe recipe;
  model::Weights weights;
  std::vector<model::Batch> batches;  // one per step
  std::vector<double> rates;          // one per step; empty for logits
  std::vector<std::int64_t>
      positions;  // place of each batch's first sample in the epoch's order; empty: from 0 on
  // Per parameter, elements that rounding decides and that are not judged, growing; empty: there are none.
  std::vector<std::vector<std::uint32_t>> undetermined = {};
  int repeats = 1;  // bitwise equal results are expected of all of them
};

// Produced by a runner or by the oracle.
struct Result {
  std::vector<std::vector<double>> logits;  // per batch (Quantity::logits)
  std::vector<double> losses;               // per step, before its update (gradient, delta)
  std::vector<oracle::Values> weights;      // after the last step, graph order (gradient, delta)
};

// The experiment on the oracle. `repeats` is not its business: it always gives the same bits.
[[nodiscard]] Result perform(const Experiment& experiment, oracle::Precision precision,
                             const oracle::Arithmetic& arithmetic = {});

}  // namespace dlbench::gate
