#include "process/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string_view>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "process/children.hpp"
#include "process/kill.hpp"
#include "process/spawn.hpp"

namespace dlbench::process {
namespace {

std::string search_path(const std::vector<std::string>& environment) {
  for (const std::string& item : environment) {
    if (item.rfind("PATH=", 0) == 0) {
      return item.substr(5);
    }
  }
  return {};
}

// The program to start; only absolute folders of PATH count, so that the working folder never decides what
// runs.
tl::expected<std::string, std::string> find_program(const std::string& name,
                                                    const std::vector<std::string>& environment) {
  if (name.find('/') != std::string::npos) {
    return name;
  }
  const std::string path = search_path(environment);
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    std::string candidate = fmt::format("{}/{}", folder, name);
    if (candidate.front() == '/' && ::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  return tl::unexpected(fmt::format("no program '{}' in PATH={}", name, path));
}

std::string tool_token() {
  static std::atomic<unsigned> count{0};
  return fmt::format("tool-{}-{}-{}", ::getpid(), base::monotonic_ns(), count.fetch_add(1));
}

// False: still running at the deadline.
bool wait_until(const Fd& pidfd, std::int64_t deadline_ns) {
  while (true) {
    const std::int64_t left_ns = deadline_ns - base::monotonic_ns();
    if (left_ns <= 0) {
      return false;
    }
    pollfd waiting{pidfd.get(), POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left_ns / 1'000'000 + 1, 60'000))) > 0) {
      return true;
    }
  }
}

}  // namespace

tl::expected<ExitStatus, std::string> run_command(const std::vector<std::string>& argv,
                                                  const std::vector<std::string>& environment,
                                                  const std::string& cwd, const std::string& log_path,
                                                  std::chrono::seconds timeout) {
  DLBENCH_ASSERT(!argv.empty(), "run_command needs a program");
  const auto program = find_program(argv[0], environment);
  if (!program) {
    return tl::unexpected(program.error());
  }
  const std::string log = log_path.empty() ? "/dev/null" : log_path;
  const Fd input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Fd output(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!input.valid() || !output.valid()) {
    return tl::unexpected(base::errno_message("open", input.valid() ? log : "/dev/null", errno));
  }
  const std::string token = tool_token();
  const std::int64_t deadline_ns = base::monotonic_ns() + std::chrono::nanoseconds(timeout).count();
  const auto pid = spawn({*program,
                          argv,
                          marked_environment(environment, token),
                          cwd,
                          {{input.get(), 0}, {output.get(), 1}, {output.get(), 2}}});
  if (!pid) {
    return tl::unexpected(cwd.empty() ? pid.error() : fmt::format("{} (in {})", pid.error(), cwd));
  }
  const bool ended = wait_until(open_pidfd(*pid), deadline_ns);
  (void)kill_until_none(members_of_run(token, *pid));
  const ExitStatus status = reap(*pid);
  reap_adopted();
  if (!ended) {
    return tl::unexpected(fmt::format("{} still running after {} s", argv[0], timeout.count()));
  }
  return status;
}

}  // namespace dlbench::process
