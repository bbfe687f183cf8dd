// The order in which CPUs are handed to runners. Internal to this folder.
#pragma once

#include <vector>

namespace dlbench::probes {

// `cores`: the CPUs (hyper-threads) of every core. First the first CPU of every core, then the second ones, …
[[nodiscard]] std::vector<int> spread_over_cores(const std::vector<std::vector<int>>& cores);

}  // namespace dlbench::probes
