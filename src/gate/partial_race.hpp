// The weight race of some layers only: which ones is a matter of a framework's scheduling, so no fault of the
// catalogue can say it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/gate.hpp"
#include "gate/observation.hpp"

namespace dlbench::gate {

// Looks at single steps (the order may change from step to step): those that are wrong must all be explained
// by weights that were updated before the gradient below them was computed, and logits must be right.
// "weight_race: …" with the nodes, or nullopt. `seen`: one observation per expectation; `declared` as for
// diagnose.
[[nodiscard]] std::optional<std::string> diagnose_partial_race(const Plan& plan,
                                                               const std::vector<Observation>& seen,
                                                               const oracle::Arithmetic& declared);

}  // namespace dlbench::gate
