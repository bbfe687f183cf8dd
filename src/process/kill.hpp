// Ends processes for good, safe against reuse of their numbers. Internal to this folder.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "process/proc_scan.hpp"

namespace dlbench::process {

using Selection = std::function<std::vector<ProcessEntry>(const std::vector<ProcessEntry>& all)>;

// Kills what `select` picks and scans again until it picks nothing, because a process can fork while it is
// being killed. Gives up after a minute (a process stuck inside the kernel dies when it can). Returns how
// many were killed.
int kill_until_none(const Selection& select);

// Members of one run: `root` and its descendants, its session, every process that carries `token`, and
// orphans handed to this host when `root` is its only child (so that even a process that dropped its
// environment is found). `root` 0: by token alone.
[[nodiscard]] Selection members_of_run(const std::string& token, int root);

}  // namespace dlbench::process
