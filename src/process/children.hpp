// The processes that this host started itself and will wait for. Internal to this folder.
#pragma once

#include <functional>

namespace dlbench::process {

// Registered from spawn to reaping, so that cleaning up after one run never waits for another's process.
// `spawn` returns the new pid, or nothing new (<= 0); no clean-up can look in between.
void register_spawned(const std::function<int()>& spawn);
// `collect` reaps the child: only then may its number be given to another process, which registers itself
// again.
void forget_child(int pid, const std::function<void()>& collect);
[[nodiscard]] bool is_registered(int pid);
[[nodiscard]] bool only_child(int pid);

// Collects orphans that a runner left, that were handed to this host (the child subreaper) and have ended.
// The host itself starts everything in sessions of their own, so a zombie of the host's own session is never
// touched.
void reap_adopted();

}  // namespace dlbench::process
