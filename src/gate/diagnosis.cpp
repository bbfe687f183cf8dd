#include "gate/diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gate/compare.hpp"
#include "gate/explained.hpp"
#include "gate/masks.hpp"
#include "gate/parallel.hpp"
#include "gate/partial_race.hpp"

namespace dlbench::gate {
namespace {

// Largest error ÷ limit of the runner against the faulty truth; nullopt: the fault does not explain this
// result.
std::optional<double> fit(const Expectation& right, const Result& faulty, const Result& seen) {
  const Distance effect = measure_distance(right.experiment, right.truth, right.tensor_scales, faulty);
  const Distance rest = measure_distance(right.experiment, faulty, right.tensor_scales, seen);
  double worst = 0.0;
  const auto explains = [&worst](const std::vector<Difference>& all, const std::vector<Difference>& left,
                                 const std::vector<double>& limits) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!is_explained(all[i], left[i], limits[i])) {
        return false;
      }
      if (std::isfinite(limits[i])) {
        worst = std::max(worst, left[i].error / limits[i]);
      }
    }
    return true;
  };
  const bool fits = explains(effect.losses, rest.losses, right.loss_limits) &&
                    explains(effect.tensors, rest.tensors, right.tensor_limits);
  return fits ? std::optional(worst) : std::nullopt;
}

// The fault's formulas beside those that the runner has anyway.
oracle::Arithmetic together(oracle::Arithmetic fault, const oracle::Arithmetic& declared) {
  fault.ties_all = fault.ties_all || declared.ties_all;
  fault.rate_inside = fault.rate_inside || declared.rate_inside;
  fault.biased_running_variance = fault.biased_running_variance || declared.biased_running_variance;
  fault.double_bias = fault.double_bias || declared.double_bias;
  return fault;
}

// Masks are drawn, so they fit where they err in the same way.
bool fits_masks(const Experiment& right, const std::optional<FaultyWork>& work, const Observation& seen) {
  const std::vector<MaskStatistic> statistics = mask_statistics(right, *seen.repeats);
  if (!work) {
    return error_over_limit(statistics) <= 1.0;
  }
  return is_alike(
      statistics,
      mask_statistics(right, perform_repeats(work->experiment, oracle::Precision::fp64, work->arithmetic)));
}

std::optional<double> fit_all(const Fault& fault, const Plan& plan, const std::vector<Observation>& seen,
                              const oracle::Arithmetic& declared) {
  double worst = 1.0;  // all within the limits is as close as it gets
  bool applies = false;
  for (std::size_t i = 0; i < plan.expectations.size(); ++i) {
    const Expectation& expectation = plan.expectations[i];
    const Quantity quantity = expectation.experiment.quantity;
    if (quantity == Quantity::replay) {
      continue;  // the masks beside it say what was drawn
    }
    const std::optional<FaultyWork> work = fault.apply(expectation.experiment);
    if (quantity == Quantity::masks) {
      if (!fits_masks(expectation.experiment, work, seen[i])) {
        return std::nullopt;
      }
      applies = applies || work.has_value();
      continue;
    }
    const Result faulty =
        work ? perform(work->experiment, oracle::Precision::fp64, together(work->arithmetic, declared))
             : expectation.truth;
    const std::optional<double> distance = fit(expectation, faulty, *seen[i].worst);
    if (!distance) {
      return std::nullopt;
    }
    applies = applies || work.has_value();
    worst = std::max(worst, *distance);
  }
  return applies ? std::optional(worst) : std::nullopt;
}

}  // namespace

bool is_rounding(const Expectation& expectation, const Observation& seen) {
  return expectation.experiment.quantity == Quantity::masks
             ? fits_masks(expectation.experiment, std::nullopt, seen)
             : error_over_limit(expectation, *seen.worst) < explained_limits;
}

std::string diagnose(const Plan& plan, const std::vector<Observation>& seen,
                     const oracle::Arithmetic& declared) {
  const std::vector<Fault>& faults = builtin_faults();
  std::vector<std::optional<double>> distances(faults.size());
  for_each_index(faults.size(),
                 [&](std::size_t i) { distances[i] = fit_all(faults[i], plan, seen, declared); });
  const Fault* best = nullptr;
  double closest = 0.0;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (distances[i] && (best == nullptr || *distances[i] < closest)) {
      best = &faults[i];
      closest = *distances[i];
    }
  }
  if (best != nullptr) {
    return best->id + ": " + best->sentence;
  }
  return diagnose_partial_race(plan, seen, declared).value_or("unknown");
}

}  // namespace dlbench::gate
