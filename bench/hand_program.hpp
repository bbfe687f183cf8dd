// The programs written by hand: hand/<framework>/ is laid out like runners/<framework>/ and is built and
// started as the installed runner is, in its environment. A new program needs no line outside its folder.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "host/runner.hpp"

namespace dlbench::bench {

// Frameworks that have one, by name.
[[nodiscard]] std::vector<std::string> hand_frameworks();

// Its argv without its arguments. A C++ program is compiled first, in `folder`, or only looked at again when
// that has been done. The error says why there is none for this framework, or why it does not compile.
[[nodiscard]] tl::expected<std::vector<std::string>, std::string> hand_program(const host::Runner& runner,
                                                                               const std::string& folder);

}  // namespace dlbench::bench
