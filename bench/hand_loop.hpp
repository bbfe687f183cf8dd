// A hand-written program as a timed loop: same launcher, environment, affinity and data as the runner.
#pragma once

#include <string>
#include <vector>

#include "bench/setup.hpp"
#include "bench/timed_loop.hpp"

namespace dlbench::bench {

// `program` with the arguments "<batch file> <batches> <threads>" in the place of the runner's command.
[[nodiscard]] StartedLoop start_hand_loop(const Setup& setup, const host::Runner& runner,
                                          const std::vector<std::string>& program,
                                          const std::string& batch_file, const host::Launch& launch);

}  // namespace dlbench::bench
