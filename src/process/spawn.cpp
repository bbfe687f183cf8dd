#include "process/spawn.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

#include "base/error.hpp"
#include "process/children.hpp"
#include "process/pidfd.hpp"
#include "process/proc_scan.hpp"

namespace dlbench::process {
namespace {

constexpr int first_high_fd = 64;  // above every number that a child is given

// The parent-death signal of a child is sent when the *thread* that forked it ends (prctl(2)), so all
// children are forked by one thread that lives as long as the host. It is never joined: the end of the host
// ends it.
class Spawner {
 public:
  static Spawner& instance() {
    static auto* const spawner = new Spawner;
    return *spawner;
  }

  void run(const std::function<void()>& job) {
    std::packaged_task<void()> task(job);
    std::future<void> done = task.get_future();
    {
      const std::scoped_lock lock(mutex_);
      jobs_.push_back(std::move(task));
    }
    wake_.notify_one();
    done.get();
  }

 private:
  Spawner() {
    std::thread([this] { serve(); }).detach();
  }

  [[noreturn]] void serve() {
    while (true) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return !jobs_.empty(); });
      std::packaged_task<void()> task = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::packaged_task<void()>> jobs_;
};

class FileActions {
 public:
  FileActions() { check(::posix_spawn_file_actions_init(&actions_)); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }

  void duplicate(int from, int to) { check(::posix_spawn_file_actions_adddup2(&actions_, from, to)); }
  void close(int fd) { check(::posix_spawn_file_actions_addclose(&actions_, fd)); }
  void close_from(int fd) { check(::posix_spawn_file_actions_addclosefrom_np(&actions_, fd)); }
  void change_directory(const std::string& path) {
    check(::posix_spawn_file_actions_addchdir_np(&actions_, path.c_str()));
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  static void check(int error) {
    if (error != 0) {
      throw std::bad_alloc();  // the only error of these calls for valid arguments
    }
  }
  posix_spawn_file_actions_t actions_{};
};

class Attributes {
 public:
  Attributes() {
    sigset_t all;
    sigset_t none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    DLBENCH_ASSERT(::posix_spawnattr_init(&attributes_) == 0, "posix_spawnattr_init");
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

// Moves every handed descriptor to a high number first: a dup2 must not overwrite one that is still to be
// copied.
tl::expected<std::vector<Fd>, std::string> lift(const SpawnRequest& request, FileActions& actions) {
  std::vector<Fd> high;
  int next = 0;
  for (const auto& [from, to] : request.handed) {
    Fd copy(::fcntl(from, F_DUPFD_CLOEXEC, first_high_fd));
    if (!copy.valid()) {
      return tl::unexpected(base::errno_message("fcntl", request.program, errno));
    }
    for (; next < to; ++next) {
      actions.close(next);
    }
    actions.duplicate(copy.get(), to);
    next = to + 1;
    high.push_back(std::move(copy));
  }
  actions.close_from(next);
  return high;
}

bool contains_nul(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    if (text.find('\0') != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

tl::expected<int, std::string> spawn(const SpawnRequest& request) {
  if (contains_nul(request.arguments) || contains_nul(request.environment)) {
    return tl::unexpected("a NUL byte in the command line or environment of " + request.program);
  }
  FileActions actions;
  const Attributes attributes;
  if (!request.working_directory.empty()) {
    actions.change_directory(request.working_directory);
  }
  const auto lifted = lift(request, actions);
  if (!lifted) {
    return tl::unexpected(lifted.error());
  }
  std::vector<std::string> arguments = request.arguments;
  std::vector<std::string> environment = request.environment;
  const std::vector<char*> argv = pointers_to(arguments);
  const std::vector<char*> envp = pointers_to(environment);
  int error = 0;
  int pid = 0;
  Spawner::instance().run([&] {
    register_spawned([&] {
      error = ::posix_spawn(&pid, request.program.c_str(), actions.get(), attributes.get(), argv.data(),
                            envp.data());
      return error == 0 ? pid : 0;
    });
  });
  if (error != 0) {
    return tl::unexpected(base::errno_message("posix_spawn", request.program, error));
  }
  return pid;
}

std::vector<std::string> marked_environment(const std::vector<std::string>& environment,
                                            const std::string& token) {
  static const std::string host = host_identity();
  // First, so that they are found early and survive a program that overwrites the end of its environment.
  std::vector<std::string> marked{"DLBENCH_RUN=" + token, "DLBENCH_HOST=" + host};
  for (const std::string& item : environment) {
    if (item.rfind("DLBENCH_RUN=", 0) != 0 && item.rfind("DLBENCH_HOST=", 0) != 0) {
      marked.push_back(item);
    }
  }
  return marked;
}

Fd open_pidfd(int pid) {
  Fd handle(::pidfd_open(pid, 0));
  DLBENCH_ASSERT(handle.valid(), base::errno_message("pidfd_open", std::to_string(pid), errno));
  return handle;
}

namespace {

std::optional<ExitStatus> wait_for(int pid, int flags) {
  siginfo_t info = {};
  int result = 0;
  do {
    result = ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | flags);
  } while (result != 0 && errno == EINTR);
  DLBENCH_ASSERT(result == 0, base::errno_message("waitid", std::to_string(pid), errno));
  if (info.si_pid == 0) {
    return std::nullopt;
  }
  return ExitStatus{info.si_code != CLD_EXITED, info.si_status};
}

}  // namespace

std::optional<ExitStatus> peek_status(int pid) {
  return wait_for(pid, WNOHANG | WNOWAIT);
}

ExitStatus reap(int pid) {
  std::optional<ExitStatus> status = peek_status(pid);
  if (!status) {
    return {true, SIGKILL};
  }
  forget_child(pid, [&] { status = wait_for(pid, WNOHANG); });
  return *status;
}

}  // namespace dlbench::process
