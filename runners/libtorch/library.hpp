// The library that the process has loaded, in its own words.
#pragma once

#include <string>

namespace runner {

// Version of the loaded library, such as "2.15.0". Throws std::runtime_error if it is not that of the headers
// that this program was compiled with, or cannot be read.
std::string library_version();

}  // namespace runner
