// CPU accounting of the kernel. Internal to this folder.
#pragma once

#include <string_view>
#include <vector>

#include "probes/machine.hpp"

namespace dlbench::probes {

// Text of /proc/stat. Element i belongs to CPU i; a CPU that is off line between others is all zeros.
[[nodiscard]] std::vector<CpuTimes> parse_cpu_times(std::string_view text);

}  // namespace dlbench::probes
