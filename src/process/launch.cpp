#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "process/children.hpp"
#include "process/kill.hpp"
#include "process/process.hpp"
#include "process/spawn.hpp"

namespace dlbench::process {
namespace {

constexpr int launcher_status_fd = 5;
constexpr int launcher_max_ms = 30'000;
// How often a waiting host looks at the size of the output.
constexpr std::chrono::milliseconds watch_interval{100};

class LaunchedChild final : public Child {
 public:
  LaunchedChild(int pid, std::string token, Fd output, std::uint64_t output_max_bytes, std::int64_t spawn_ns)
      : pid_(pid),
        pidfd_(open_pidfd(pid)),
        token_(std::move(token)),
        output_(std::move(output)),
        output_max_bytes_(output_max_bytes),
        spawn_ns_(spawn_ns) {}
  LaunchedChild(const LaunchedChild&) = delete;
  LaunchedChild& operator=(const LaunchedChild&) = delete;
  ~LaunchedChild() override { LaunchedChild::kill_tree(); }

  [[nodiscard]] int pid() const override { return pid_; }
  [[nodiscard]] int pidfd() const override { return pidfd_.get(); }
  [[nodiscard]] std::int64_t spawn_ns() const override { return spawn_ns_; }

  std::optional<ExitStatus> wait(std::chrono::milliseconds timeout) override;
  ExitStatus kill_tree() override;
  [[nodiscard]] bool output_flooded() const override;

 private:
  int pid_;
  Fd pidfd_;
  std::string token_;
  Fd output_;
  std::uint64_t output_max_bytes_;
  std::int64_t spawn_ns_;
  std::optional<ExitStatus> reaped_;  // set by kill_tree
};

std::optional<ExitStatus> LaunchedChild::wait(std::chrono::milliseconds timeout) {
  const std::int64_t deadline_ns = base::monotonic_ns() + std::chrono::nanoseconds(timeout).count();
  while (!reaped_) {
    if (const auto status = peek_status(pid_)) {
      return status;
    }
    if (output_flooded()) {
      return kill_tree();
    }
    const std::int64_t left_ms = (deadline_ns - base::monotonic_ns() + 999'999) / 1'000'000;
    if (left_ms <= 0) {
      return std::nullopt;
    }
    pollfd waiting{pidfd_.get(), POLLIN, 0};
    (void)::poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left_ms, watch_interval.count())));
  }
  return reaped_;
}

ExitStatus LaunchedChild::kill_tree() {
  if (!reaped_) {
    // The root is reaped last: until then its number cannot name another process or session.
    (void)kill_until_none(members_of_run(token_, pid_));
    reaped_ = reap(pid_);
    reap_adopted();
  }
  return *reaped_;
}

bool LaunchedChild::output_flooded() const {
  struct stat info = {};
  return ::fstat(output_.get(), &info) == 0 && static_cast<std::uint64_t>(info.st_size) > output_max_bytes_;
}

bool is_token(const std::string& token) {
  return !token.empty() &&
         token.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz-") == std::string::npos;
}

std::vector<std::string> launcher_arguments(const LaunchSpec& spec) {
  std::vector<std::string> arguments{spec.launcher, "--parent", std::to_string(::getpid())};
  if (!spec.cpus.empty()) {
    arguments.insert(arguments.end(), {"--cpus", fmt::format("{}", fmt::join(spec.cpus, ","))});
  }
  if (spec.address_space_max_bytes > 0) {
    arguments.insert(arguments.end(), {"--address-space", std::to_string(spec.address_space_max_bytes)});
  }
  if (!spec.working_directory.empty()) {
    arguments.insert(arguments.end(), {"--directory", spec.working_directory});
  }
  arguments.emplace_back("--");
  arguments.insert(arguments.end(), spec.command.begin(), spec.command.end());
  return arguments;
}

// What dlbench-launch reports until its exec closes the pipe; empty: the command is running.
std::string read_launch_error(const Fd& status) {
  std::string text;
  std::array<char, 1024> buffer{};
  while (true) {
    pollfd waiting{status.get(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, launcher_max_ms);
    if (ready < 0 && errno == EINTR) {
      continue;
    }
    if (ready <= 0) {
      return fmt::format("dlbench-launch did not start the command within {} s", launcher_max_ms / 1000);
    }
    const ssize_t got = ::read(status.get(), buffer.data(), buffer.size());
    if (got <= 0) {
      return text;
    }
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

struct Pipe {
  Fd read_end;
  Fd write_end;
};

tl::expected<Pipe, std::string> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return tl::unexpected(base::errno_message("pipe2", "launcher status", errno));
  }
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

std::vector<std::pair<int, int>> handed_descriptors(const LaunchSpec& spec, int null, int output,
                                                    int status) {
  std::vector<std::pair<int, int>> handed{{null, 0}, {output, 1}, {output, 2}};
  if (spec.socket_fd >= 0) {
    handed.emplace_back(spec.socket_fd, 3);
  }
  if (spec.arena_fd >= 0) {
    handed.emplace_back(spec.arena_fd, 4);
  }
  handed.emplace_back(status, launcher_status_fd);
  return handed;
}

}  // namespace

void become_reaper() {
  DLBENCH_ASSERT(::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0, "PR_SET_CHILD_SUBREAPER");
}

tl::expected<std::unique_ptr<Child>, std::string> launch(const LaunchSpec& spec) {
  DLBENCH_ASSERT(is_token(spec.run_token), spec.run_token);
  DLBENCH_ASSERT(!spec.command.empty(), "a launch needs a command");
  Fd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  Fd output(::open(spec.output_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644));
  if (!null.valid() || !output.valid()) {
    return tl::unexpected(base::errno_message("open", null.valid() ? spec.output_path : "/dev/null", errno));
  }
  auto status = make_pipe();
  if (!status) {
    return tl::unexpected(status.error());
  }
  SpawnRequest request;
  request.program = spec.launcher;
  request.arguments = launcher_arguments(spec);
  request.environment = marked_environment(spec.environment, spec.run_token);
  request.handed = handed_descriptors(spec, null.get(), output.get(), status->write_end.get());
  const std::int64_t spawn_ns = base::monotonic_ns();
  const auto pid = spawn(request);
  if (!pid) {
    return tl::unexpected(pid.error());
  }
  auto child = std::make_unique<LaunchedChild>(*pid, spec.run_token, std::move(output), spec.output_max_bytes,
                                               spawn_ns);
  status->write_end.reset();
  if (std::string error = read_launch_error(status->read_end); !error.empty()) {
    return tl::unexpected(std::move(error));
  }
  return child;
}

}  // namespace dlbench::process
