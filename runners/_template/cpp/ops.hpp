// The op table: one function for each operator that this runner has.
#pragma once

#include "network.hpp"
#include "runner_sdk/cpp/lower.hpp"

namespace template_runner {

using OpTable = dlbench::sdk::OpTable<Network, std::size_t>;  // values are places

[[nodiscard]] const OpTable& ops();

}  // namespace template_runner
