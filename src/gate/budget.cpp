#include "gate/budget.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "gate/has_op.hpp"
#include "gate/limits.hpp"
#include "gate/parallel.hpp"
#include "gate/undetermined.hpp"

namespace dlbench::gate {
namespace {

// Core seconds of the verification batches and of the timed one. Estimates are some tens of percent too high,
// since most searches and faults end early.
constexpr double plan_seconds = 300.0;
constexpr double timed_seconds = 120.0;
constexpr double search_seconds = 60.0;  // of the latter, for its candidates

// What one training step costs a core of a plain machine. Wide products run at the rate of the BLAS; what is
// done to each element of each node's output, patches of convolutions included, is slow beside them; and
// whatever the rows, every weight is copied, moved by an ulp, put into another order for each product,
// differentiated and updated, all of it in memory.
constexpr double seconds_per_mac = 1.0 / 15e9;
// Small products, one for each position, forward again for each derivative, and in half of the variations
// without the BLAS.
constexpr double seconds_per_recurrent_mac = 5e-9;
constexpr double seconds_per_element = 16e-9;
constexpr double seconds_per_weight = 25e-9;
constexpr double passes = 3.0;          // products per layer, forward and backward
constexpr double forward_share = 0.25;  // of a step: what a candidate of a search costs

// Verification runs of k steps: three trajectories; logits, gradients and ties are about three steps more.
constexpr double trajectories = 3.0;
constexpr double single_steps = 3.0;
// Faults are simulated until one experiment shows them: most after a few steps, some only after a trajectory.
constexpr double fault_trajectories = 20.0;
// Of the timed batch: the truth, and the gradients that the search follows.
constexpr double timed_runs = 2.0;
constexpr double fewest_candidates = 2.0;

bool is_recurrent(const model::Node& node) {
  return std::ranges::any_of(node.parameters, [](const model::Parameter& parameter) {
    return parameter.role == model::ParameterRole::recurrent;
  });
}

double step_seconds(const Work& work, std::int64_t rows) {
  double sample = 0.0;
  for (const model::Node& node : work.graph.nodes) {
    sample += seconds_per_element * static_cast<double>(model::element_count(node.output_shape)) +
              (is_recurrent(node) ? seconds_per_recurrent_mac : passes * seconds_per_mac) *
                  static_cast<double>(node.macs);
  }
  return static_cast<double>(rows) * sample +
         seconds_per_weight * static_cast<double>(model::parameter_count(work.graph));
}

// The first candidate is good where no derivative jumps.
double candidates_of(const Work& work, int most) {
  return has_op(work.graph, "relu") || has_op(work.graph, "max_pool") ? most : 1.0;
}

double small_seconds(const Work& work, const Budget& budget) {
  const double steps = static_cast<double>(most_steps);
  // Undetermined elements are looked for with as many evaluations again.
  const double again = divides_by_gradient(work.recipe) ? trajectories * steps * budget.evaluations : 0.0;
  const double searches =
      trajectories * steps * candidates_of(work, step_candidates) + candidates_of(work, most_candidates);
  const double runs = again + (trajectories * steps + single_steps) * (1.0 + budget.evaluations) +
                      fault_trajectories * steps + forward_share * searches;
  return runs * step_seconds(work, budget.rows);
}

// Of so many steps on the timed batch.
double whole_seconds(const Work& work, const Budget& budget, std::int64_t steps) {
  const double again = divides_by_gradient(work.recipe) ? budget.evaluations : 0.0;
  const double runs =
      timed_runs + again + reduced_evaluations + forward_share * candidates_of(work, budget.timed_candidates);
  return runs * static_cast<double>(steps) * step_seconds(work, work.batches.front().input.shape.at(0));
}

// Fewer samples before fewer evaluations; but one sample says nothing of sums over a batch, so it comes last.
void fit_verification(Budget& budget, const Work& work) {
  for (const auto& [evaluations, factor] :
       {std::pair(full_evaluations, full_factor), std::pair(reduced_evaluations, reduced_factor)}) {
    budget.evaluations = evaluations;
    budget.factor = factor;
    for (budget.rows = verification_rows; budget.rows > 1; budget.rows /= 2) {
      if (small_seconds(work, budget) <= plan_seconds) {
        return;
      }
    }
  }
}

void fit_timed(Budget& budget, const Work& work) {
  const double step = step_seconds(work, work.batches.front().input.shape.at(0));
  const double of_candidate = forward_share * static_cast<double>(most_steps) * step;
  budget.timed_candidates =
      static_cast<int>(std::clamp(search_seconds / std::max(of_candidate, 1e-9), fewest_candidates,
                                  static_cast<double>(step_candidates)));
  for (const std::int64_t steps : timed_lengths) {
    if (whole_seconds(work, budget, steps) <= timed_seconds) {
      budget.timed_steps = steps;
      return;
    }
  }
}

}  // namespace

Budget budget_of(const Work& work) {
  DLBENCH_ASSERT(!work.batches.empty(), "a work has at least one batch");
  Budget budget;
  fit_verification(budget, work);
  fit_timed(budget, work);
  budget.seconds = small_seconds(work, budget) + whole_seconds(work, budget, budget.timed_steps);
  return budget;
}

double expected_seconds(const Work& work) {
  return budget_of(work).seconds / static_cast<double>(thread_count());
}

}  // namespace dlbench::gate
