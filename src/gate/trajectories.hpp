// The step experiments of a plan: how many steps, and at which rate, single precision can be held to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/budget.hpp"
#include "gate/experiments.hpp"
#include "gate/gate.hpp"

namespace dlbench::gate {

struct Trajectories {
  std::vector<Expectation> expectations;  // with their limits; none: there is no k
  std::int64_t steps = 0;                 // k
  std::vector<std::string> notes;         // what was not looked at and why
};

// steps.constant, steps.changing, timed.steps, steps.stress: the largest k of run_lengths at the recipe's own
// rate, else at the fastest of slowed_rates. `work` is without dropout.
[[nodiscard]] Trajectories plan_trajectories(const Work& work, const Material& material,
                                             const Budget& budget);

}  // namespace dlbench::gate
