// posix_spawn from one long-lived thread. Internal to this folder.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "process/process.hpp"

namespace dlbench::process {

struct SpawnRequest {
  std::string program;  // a path
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  std::string working_directory;  // empty: unchanged
  std::vector<std::pair<int, int>>
      handed;  // (descriptor here, descriptor there); all others are closed there
};

// The child leads a new session, has default signal handling, and is registered until it is reaped.
[[nodiscard]] tl::expected<int, std::string> spawn(const SpawnRequest& request);

// `environment` with DLBENCH_RUN=<token> and DLBENCH_HOST=<this host> in place of any that it had.
[[nodiscard]] std::vector<std::string> marked_environment(const std::vector<std::string>& environment,
                                                          const std::string& token);

// A pidfd of a child that is not reaped yet.
[[nodiscard]] Fd open_pidfd(int pid);
// nullopt: running. A status that is read here leaves the zombie, so that the number stays taken until
// reap().
[[nodiscard]] std::optional<ExitStatus> peek_status(int pid);
// Removes a registered child that was killed or has ended. One that the kernel cannot end yet counts as
// killed; its corpse stays.
ExitStatus reap(int pid);

}  // namespace dlbench::process
