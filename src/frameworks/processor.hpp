// What compiled code depends on: a folder of it must not meet another kind of processor.
#pragma once

#include <string>
#include <string_view>

namespace dlbench::frameworks {

// Hash of what the first processor of /proc/cpuinfo is and can do, in 32 hexadecimal digits; not of its
// speed.
[[nodiscard]] std::string processor_of(std::string_view cpuinfo);
// Of this machine.
[[nodiscard]] const std::string& processor_here();

}  // namespace dlbench::frameworks
