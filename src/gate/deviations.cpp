#include "gate/deviations.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "gate/has_op.hpp"
#include "gate/limits.hpp"
#include "record/deviation.hpp"

namespace dlbench::gate {
namespace {

// The two forms differ where a velocity outlives the rate that it was made with.
bool forms_part(const Experiment& experiment) {
  const model::Optimizer& optimizer = experiment.recipe.optimizer;
  const bool rate_changes =
      std::ranges::adjacent_find(experiment.rates, std::not_equal_to<>()) != experiment.rates.end();
  return optimizer.momentum != 0.0 && optimizer.form == model::SgdForm::rate_outside && rate_changes;
}

bool biases_part(const Experiment& experiment) {
  return has_op(experiment.graph, "lstm");
}

constexpr std::array deviations_known = {
    Deviation{"ties_all", [](oracle::Arithmetic& arithmetic) { arithmetic.ties_all = true; }},
    Deviation{"momentum=rate_inside", [](oracle::Arithmetic& arithmetic) { arithmetic.rate_inside = true; },
              forms_part},
    Deviation{"ema_biased",
              [](oracle::Arithmetic& arithmetic) { arithmetic.biased_running_variance = true; }},
    Deviation{"double_bias", [](oracle::Arithmetic& arithmetic) { arithmetic.double_bias = true; },
              biases_part},
    Deviation{.name = "coarse_rounding", .limit_factor = coarse_factor},
    Deviation{"assisted"},
};

static_assert(deviations_known.size() == record::deviation_names.size());

}  // namespace

const Deviation* find_deviation(std::string_view name) {
  const auto* found = std::ranges::find(deviations_known, name, &Deviation::name);
  return found == deviations_known.end() ? nullptr : found;
}

oracle::Arithmetic arithmetic_of(const std::vector<std::string>& declared) {
  oracle::Arithmetic arithmetic;
  for (const std::string& name : declared) {
    if (const Deviation* deviation = find_deviation(name);
        deviation != nullptr && deviation->apply != nullptr) {
      deviation->apply(arithmetic);
    }
  }
  return arithmetic;
}

std::optional<Expectation> by_formulas(const Expectation& plain, const oracle::Arithmetic& formulas) {
  if (formulas == oracle::Arithmetic{} || draws(plain.experiment.quantity)) {
    return std::nullopt;
  }
  Expectation deviating = plain;
  deviating.truth = perform(plain.experiment, oracle::Precision::fp64, formulas);
  return deviating;
}

double limit_factor_of(const std::vector<std::string>& declared) {
  double factor = 1.0;
  for (const std::string& name : declared) {
    if (const Deviation* deviation = find_deviation(name); deviation != nullptr) {
      factor *= deviation->limit_factor;
    }
  }
  return factor;
}

std::vector<oracle::Arithmetic> parting_arithmetics(const Experiment& experiment) {
  std::vector<oracle::Arithmetic> result;
  for (const Deviation& deviation : deviations_known) {
    if (deviation.parts != nullptr && deviation.parts(experiment)) {
      deviation.apply(result.emplace_back());
    }
  }
  return result;
}

}  // namespace dlbench::gate
