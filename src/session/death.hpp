// What the death of a runner means. Internal to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "process/process.hpp"
#include "session/session.hpp"

namespace dlbench::session {

// Kills by the kernel's out-of-memory killer so far: of this process's cgroup (version 2, then 1), else of
// the whole machine; nullopt: the kernel does not say. `root` is "/" except in tests.
[[nodiscard]] std::optional<std::uint64_t> count_oom_kills(const std::string& root = "/");

struct Death {
  process::ExitStatus status;
  std::string during;  // "start", "train after step 5"
  std::string output_tail;
  bool oom_killed = false;  // the kernel's count moved
};

// OOM when the kernel killed it for memory or the last words are an allocation failure, CRASH otherwise.
[[nodiscard]] Failure classify(const Death& death);

}  // namespace dlbench::session
