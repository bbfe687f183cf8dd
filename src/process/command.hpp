// Runs one program to its end for the host itself (compilers, pip, a runner's prepare script): no socket, no arena.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "process/process.hpp"

namespace dlbench::process {

// argv[0] is a path, or a name that is looked up in the PATH of `environment`; no shell is involved. `environment` is
// complete ("NAME=value"): nothing is inherited, DLBENCH_RUN and DLBENCH_HOST are added. stdin is /dev/null; stdout and
// stderr are appended to `log_path` ("" : discarded). The program runs in a process group of its own and dies with the
// host's spawner; what it left behind is killed when it ends, and after `timeout` everything is. The error text says
// what the world refused: no such program or folder, no memory, or "… still running after N s".
[[nodiscard]] tl::expected<ExitStatus, std::string> run_command(const std::vector<std::string>& argv,
                                                                const std::vector<std::string>& environment,
                                                                const std::string& cwd, const std::string& log_path,
                                                                std::chrono::seconds timeout);

}  // namespace dlbench::process
