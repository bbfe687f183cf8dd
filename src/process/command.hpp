// Runs one program to its end for the host itself (compilers, pip, a runner's prepare script): no socket, no
// arena.
#pragma once

#include <chrono>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "process/process.hpp"

namespace dlbench::process {

// argv[0] is a path, or a name that is looked up in the PATH of `environment`; no shell is involved.
// `environment` is complete ("NAME=value"): nothing is inherited, DLBENCH_RUN and DLBENCH_HOST are added.
// stdin is /dev/null; stdout and stderr are appended to `log_path` ("": discarded). The program runs in a
// session of its own; whatever it left behind is killed when it ends, everything is killed after `timeout`,
// and what a killed host leaves is found by the next sweep(). The error text says what the world refused: no
// such program or folder, no memory, or "… still running after N s".
[[nodiscard]] tl::expected<ExitStatus, std::string> run_command(const std::vector<std::string>& argv,
                                                                const std::vector<std::string>& environment,
                                                                const std::string& cwd,
                                                                const std::string& log_path,
                                                                std::chrono::seconds timeout);

}  // namespace dlbench::process
