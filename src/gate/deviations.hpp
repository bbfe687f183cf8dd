// The deviations that a runner may declare, and where they lead elsewhere than the recipe's own formulas.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/gate.hpp"
#include "oracle/oracle.hpp"

namespace dlbench::gate {

struct Deviation {
  std::string_view name;
  // nullptr: it has the same numbers as no deviation at all.
  void (*apply)(oracle::Arithmetic&) = nullptr;
  // Whether training without near ties reaches other weights by it; nullptr: it does not.
  bool (*parts)(const Experiment&) = nullptr;
  // Every limit is wider by this factor, and every fault shows by so much less.
  double limit_factor = 1.0;
};

// nullptr: there is none of this name.
[[nodiscard]] const Deviation* find_deviation(std::string_view name);

// All formulas that were declared, together. Names that are not known change nothing.
[[nodiscard]] oracle::Arithmetic arithmetic_of(const std::vector<std::string>& declared);

// The same experiment and limits, with the right result by these formulas. nullopt: they are the recipe's
// own, or chance decides this experiment. Costs oracle time.
[[nodiscard]] std::optional<Expectation> by_formulas(const Expectation& plain,
                                                     const oracle::Arithmetic& formulas);

// By which all limits are wider, all declared deviations together.
[[nodiscard]] double limit_factor_of(const std::vector<std::string>& declared);

// The formulas of each deviation by which this training experiment reaches other weights.
[[nodiscard]] std::vector<oracle::Arithmetic> parting_arithmetics(const Experiment& experiment);

}  // namespace dlbench::gate
