// What /proc says about running processes. Internal to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlbench::process {

struct ProcessEntry {
  int pid = 0;
  int parent = 0;
  int session = 0;
  char state = '?';
  int threads = 0;
  std::uint64_t start_ticks = 0;  // since boot; with the pid it names one process for the whole uptime
  // In the middle of execve(): the old environment has gone, the new one is not there yet.
  bool in_exec = false;

  // The state is that of the first thread, which may have left while others go on.
  [[nodiscard]] bool dead() const { return (state == 'Z' && threads <= 1) || state == 'X'; }
};

// nullopt: gone.
[[nodiscard]] std::optional<ProcessEntry> read_process(int pid);
// Parses the text of a /proc/<pid>/stat file; the command name may contain blanks and parentheses.
[[nodiscard]] std::optional<ProcessEntry> parse_stat(std::string_view text);
// Every process that /proc shows, this one left out.
[[nodiscard]] std::vector<ProcessEntry> list_processes();

// Value of `name` in the text of /proc/<pid>/environ. Only items that end in NUL count: a process that is
// just replacing itself shows a part of its environment.
[[nodiscard]] std::optional<std::string> variable_in(std::string_view environment, std::string_view name);
// Value of `name` in the environment that a process was started with; nullopt: not set, not ours, gone. Waits
// while a process replaces itself: whoever looked in that moment would take a run's process for a stranger.
[[nodiscard]] std::optional<std::string> environment_of(int pid, std::string_view name);
// Same PID namespace as this process, so that its numbers mean the same.
[[nodiscard]] bool shares_pid_namespace(int pid);

// "<pid>:<start time>" of this process.
[[nodiscard]] std::string host_identity();
// True only when no process with that identity can run any more. An identity that cannot be read says
// nothing, and what says nothing is not killed for.
[[nodiscard]] bool host_is_gone(std::string_view identity);

}  // namespace dlbench::process
