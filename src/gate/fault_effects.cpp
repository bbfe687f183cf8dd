#include "gate/fault_effects.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gate/compare.hpp"
#include "gate/limits.hpp"
#include "gate/masks.hpp"
#include "gate/parallel.hpp"

namespace dlbench::gate {
namespace {

double effect_on(const Expectation& right, const FaultyWork& work) {
  if (right.experiment.quantity == Quantity::masks) {
    return error_over_limit(mask_statistics(
        right.experiment, perform_repeats(work.experiment, oracle::Precision::fp64, work.arithmetic)));
  }
  return error_over_limit(right, perform(work.experiment, oracle::Precision::fp64, work.arithmetic));
}

double effect_of(const Fault& fault, const Plan& plan) {
  double effect = 0.0;
  for (const Expectation& expectation : plan.expectations) {
    const bool is_dear = expectation.experiment.classifies || expectation.experiment.is_timed;
    if (is_dear) {
      continue;
    }
    if (const std::optional<FaultyWork> work = fault.apply(expectation.experiment)) {
      effect = std::max(effect, effect_on(expectation, *work));
    }
    if (effect >= provable_effect) {
      break;
    }
  }
  return effect;
}

}  // namespace

std::vector<record::FaultEffect> simulate_faults(const Plan& plan) {
  const std::vector<Fault>& faults = builtin_faults();
  std::vector<record::FaultEffect> effects(faults.size());
  for_each_index(faults.size(), [&](std::size_t i) {
    const double effect = effect_of(faults[i], plan);
    effects[i] = {faults[i].id, effect, effect >= provable_effect};
  });
  return effects;
}

std::string to_text(const record::FaultEffect& effect) {
  if (!effect.provable) {
    return "not provable here";
  }
  return effect.effect_over_limit > 1e6 ? "more than 1e6 limits"
                                        : fmt::format("{:.2g} limits", effect.effect_over_limit);
}

}  // namespace dlbench::gate
