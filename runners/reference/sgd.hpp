// The optimizer table: one fused loop for each parameter.
#pragma once

#include "network.hpp"
#include "runner_sdk/cpp/lower.hpp"

namespace reference {

// A task that applies one update to `weights`, to be run after its gradient is known and its values were last
// read.
using MakeUpdate = Task (*)(Network& network, Weights& weights);
[[nodiscard]] const dlbench::sdk::Table<MakeUpdate>& optimizers();

// The update that the loaded recipe asks for.
[[nodiscard]] Task make_update(Network& network, Weights& weights);

}  // namespace reference
