// Which known fault gives exactly the numbers that a runner gave.
#pragma once

#include <string>
#include <vector>

#include "gate/gate.hpp"
#include "gate/observation.hpp"

namespace dlbench::gate {

// Whether masks are right and nothing else is off by ten limits. Each fault must show by more, so where this
// holds of every expectation it is no fault's work.
[[nodiscard]] bool is_rounding(const Expectation& expectation, const Observation& seen);

// `seen`: one observation per expectation. "<id>: <sentence>" of the fault that reproduces all of them, else
// of a weight race of some layers, else "unknown". Several fit: the closest; equally close (all within the
// limits): the first of the catalogue, the simplest. `declared`: formulas that the runner has anyway, beside
// the fault; the plan's truths are computed with them. Runs the oracle on several threads.
[[nodiscard]] std::string diagnose(const Plan& plan, const std::vector<Observation>& seen,
                                   const oracle::Arithmetic& declared = {});

}  // namespace dlbench::gate
