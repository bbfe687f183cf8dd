// What training keeps beside the parameters. Every `put` sets it back.
#pragma once

#include <string>

#include "network.hpp"

namespace runner {

// A variable that begins as `start`, a placeholder's or constant's value, whenever `owner` is put. Returns
// its handle.
TF_Output add_state(Network& network, Variable& owner, const std::string& name, TF_Output start);

// The same, of the owner's shape and filled with `start`.
TF_Output add_slot(Network& network, Variable& owner, const std::string& name, double start = 0.0);

// Number of the present step, from 1, a scalar in double precision.
TF_Output add_step_count(Network& network, const std::string& name);

}  // namespace runner
