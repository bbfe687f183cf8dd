// Starts, watches and ends runner processes: the only code of dlbench that does. Linux.
//
// A child is started through the dlbench-launch helper (new session, limits, affinity, environment,
// parent-death signal), carries DLBENCH_RUN=<token>, and is killed together with everything it left behind,
// also what called setsid or was orphaned.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace dlbench::process {

// A file descriptor that closes itself.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept;
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  int release();
  void reset();

 private:
  int fd_ = -1;
};

struct LaunchSpec {
  std::string launcher;                  // path of dlbench-launch
  std::vector<std::string> command;      // argv; command[0] is a path
  std::vector<std::string> environment;  // complete: "NAME=value"; nothing is inherited. DLBENCH_RUN is added
  std::string run_token;                 // [0-9a-z-]+
  std::string working_directory;
  std::string output_path;  // stdout and stderr go here, truncated first
  std::uint64_t output_max_bytes =
      64ULL << 20U;       // RLIMIT_FSIZE-independent watch; exceeded: killed, reason says so
  std::vector<int> cpus;  // affinity of the whole tree; empty: unchanged
  std::uint64_t address_space_max_bytes = 0;  // 0: unlimited
  int socket_fd = -1;                         // becomes fd 3 of the child
  int arena_fd = -1;                          // becomes fd 4 of the child
};

struct ExitStatus {
  bool signalled = false;
  int code = 0;  // exit code or signal number
};
// "exit code 3", "signal 11 (SIGSEGV)"
[[nodiscard]] std::string to_text(const ExitStatus& status);

class Child {
 public:
  virtual ~Child() = default;  // kills the whole tree and reaps it
  [[nodiscard]] virtual int pid() const = 0;
  [[nodiscard]] virtual int pidfd() const = 0;  // readable (poll) when the child has died
  // nullopt: still running after `timeout`.
  virtual std::optional<ExitStatus> wait(std::chrono::milliseconds timeout) = 0;
  // SIGKILL to the group and to every process that carries the token, until none is left; reaps; idempotent.
  virtual ExitStatus kill_tree() = 0;
  // True when stdout + stderr exceeded output_max_bytes.
  [[nodiscard]] virtual bool output_flooded() const = 0;
  // Monotonic time of the spawn.
  [[nodiscard]] virtual std::int64_t spawn_ns() const = 0;
};

// Once per host process: child subreaper. Call before the first launch.
void become_reaper();

// The world's failure (no such file, no memory) is the error text.
[[nodiscard]] tl::expected<std::unique_ptr<Child>, std::string> launch(const LaunchSpec& spec);

// Kills every process of this user whose environment has DLBENCH_RUN=<token>; an empty token: of any run
// whose host (DLBENCH_HOST=<pid>:<start time>) no longer lives. Returns how many were killed.
int sweep(const std::string& token = {});

// Last `bytes` of a file, made valid UTF-8; empty when it cannot be read.
[[nodiscard]] std::string tail_of_file(const std::string& path, std::size_t bytes);

}  // namespace dlbench::process
