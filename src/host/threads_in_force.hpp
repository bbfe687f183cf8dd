// Whether a runner works with as many threads as it was asked for: what it says it is, not what it was told.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/session.hpp"

namespace dlbench::host {

// nullopt: the settings say so; else what is wrong, for an outcome INVALID.
[[nodiscard]] std::optional<std::string> thread_problem(const std::vector<session::Setting>& effective,
                                                        int wanted);

}  // namespace dlbench::host
