#include "gate/budget.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "gate/limits.hpp"
#include "gate/parallel.hpp"
#include "gate/undetermined.hpp"

namespace dlbench::gate {
namespace {

constexpr double plan_seconds = 300.0;
constexpr double timed_run_seconds = 60.0;  // one fp64 run of k steps
// What one core of a plain machine does, forward and backward, small products and copies included.
constexpr double macs_per_second = 3e9;
// Verification runs of k steps: three trajectories; logits, gradients and ties are about three steps more.
constexpr double trajectories = 3.0;
constexpr double single_steps = 3.0;
// Faults are simulated until one experiment shows them: most after a few steps, some only after a trajectory.
constexpr double fault_trajectories = 20.0;

// The truth, the gradients that the search follows, and a few forward passes of the search.
constexpr double timed_runs = 4.0;

double step_seconds(const Work& work, std::int64_t rows) {
  return 3.0 * static_cast<double>(model::macs_per_sample(work.graph) * rows) / macs_per_second;
}

double small_seconds(const Work& work, std::int64_t rows, int evaluations) {
  const double steps = static_cast<double>(most_steps);
  // Undetermined elements are looked for with as many evaluations again.
  const double searches = divides_by_gradient(work.recipe) ? trajectories * steps * evaluations : 0.0;
  const double runs = searches + (trajectories * steps + single_steps) * (1.0 + evaluations) +
                      fault_trajectories * steps + static_cast<double>(most_candidates);
  return runs * step_seconds(work, rows);
}

}  // namespace

Budget budget_of(const Work& work) {
  DLBENCH_ASSERT(!work.batches.empty(), "a work has at least one batch");
  Budget budget{verification_rows, full_evaluations, full_factor, true, 0.0};
  while (budget.rows > 1 && small_seconds(work, budget.rows, budget.evaluations) > plan_seconds) {
    budget.rows /= 2;
  }
  if (small_seconds(work, budget.rows, budget.evaluations) > plan_seconds) {
    budget.evaluations = reduced_evaluations;
    budget.factor = reduced_factor;
  }
  const double timed =
      static_cast<double>(most_steps) * step_seconds(work, work.batches.front().input.shape.at(0));
  budget.timed_batch = timed <= timed_run_seconds;
  const double searches = divides_by_gradient(work.recipe) ? budget.evaluations : 0.0;
  budget.seconds = small_seconds(work, budget.rows, budget.evaluations) +
                   (budget.timed_batch ? (timed_runs + searches + reduced_evaluations) * timed : 0.0);
  return budget;
}

double expected_seconds(const Work& work) {
  return budget_of(work).seconds / static_cast<double>(thread_count());
}

}  // namespace dlbench::gate
