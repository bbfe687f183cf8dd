// Operators of the neutral graph in MXNet.
#pragma once

#include "network.hpp"
#include "runner_sdk/cpp/lower.hpp"

namespace runner {

[[nodiscard]] const dlbench::sdk::OpTable<Network, Symbol>& ops();

}  // namespace runner
