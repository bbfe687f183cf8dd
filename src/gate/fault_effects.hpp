// What each known fault would do to a work, and so whether the gate could notice it there.
#pragma once

#include <vector>

#include "gate/gate.hpp"

namespace dlbench::gate {

// One entry per builtin fault, in catalogue order. The effect is that in the first experiment that shows at
// least ten limits, else the largest of all; a fault that the work cannot have has effect 0. The timed batch
// is left out: it shows what the verification batches show, at many times the cost. Runs on several threads.
[[nodiscard]] std::vector<record::FaultEffect> simulate_faults(const Plan& plan);

}  // namespace dlbench::gate
