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

// What is judged; losses are judged beside gradient and delta. replay: a gradient whose truth follows the
// dropout mask that the runner drew. masks: what it draws in many repeats.
enum class Quantity { logits, gradient, delta, replay, masks };

// How the error of a tensor is measured. euclidean: where near ties are left in the batches, so that each
// rounding switches a few units otherwise; it tells many elements that are wrong from one unit that is
// switched.
enum class Norm { largest, euclidean };

// The host runs it on a runner as: load(graph, recipe, batch rows), put(weights), then infer or train, then
// get.
struct Experiment {
  std::string id;  // what certificates and messages call it: "function.gradient", "timed.steps"
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
  Norm norm = Norm::largest;
  // delta: whether the first batch's logits in evaluation mode after the steps are judged beside the weights.
  bool evaluates = false;
  // logits: whether the class of each sample is judged beside them (of full batches: dear to compute).
  bool classifies = false;
  // Whether it is what a timed window computes, judged again after each.
  bool is_timed = false;
  int repeats = 1;  // bitwise equal results are expected of all of them, unless dropout draws
};

// Produced by a runner or by the oracle.
struct Result {
  std::vector<std::vector<double>> logits;  // per batch (Quantity::logits), or of the first after the steps
  std::vector<double> losses;               // per step, before its update (gradient, delta)
  std::vector<oracle::Values> weights;      // after the last step, graph order (gradient, delta)
};

// The batch that is evaluated after the steps; nullptr: none is.
[[nodiscard]] inline const model::Batch* evaluated_batch(const Experiment& experiment) {
  return experiment.evaluates ? &experiment.batches.front() : nullptr;
}

// The experiment on the oracle, once.
[[nodiscard]] Result perform(const Experiment& experiment, oracle::Precision precision,
                             const oracle::Arithmetic& arithmetic = {});
// As often as it is repeated; dropout draws anew each time.
[[nodiscard]] std::vector<Result> perform_repeats(const Experiment& experiment, oracle::Precision precision,
                                                  oracle::Arithmetic arithmetic = {});
// Whether dropout draws in this experiment's training steps, so that repeats differ.
[[nodiscard]] inline bool draws(Quantity quantity) {
  return quantity == Quantity::replay || quantity == Quantity::masks;
}

}  // namespace dlbench::gate
