// Operators of the neutral graph in libtorch.
#pragma once

#include "program.hpp"
#include "runner_sdk/cpp/lower.hpp"

namespace runner {

[[nodiscard]] const dlbench::sdk::OpTable<Network, Value>& ops();

}  // namespace runner
