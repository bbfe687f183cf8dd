#include "process/children.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <mutex>
#include <set>

#include "process/proc_scan.hpp"

namespace dlbench::process {
namespace {

struct Registry {
  std::mutex mutex;
  std::set<int> pids;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

}  // namespace

void register_spawned(const std::function<int()>& spawn) {
  const std::scoped_lock lock(registry().mutex);
  if (const int pid = spawn(); pid > 0) {
    registry().pids.insert(pid);
  }
}

void forget_child(int pid, const std::function<void()>& collect) {
  const std::scoped_lock lock(registry().mutex);
  collect();
  registry().pids.erase(pid);
}

bool is_registered(int pid) {
  const std::scoped_lock lock(registry().mutex);
  return registry().pids.contains(pid);
}

bool only_child(int pid) {
  const std::scoped_lock lock(registry().mutex);
  return registry().pids.size() == 1 && registry().pids.contains(pid);
}

void reap_adopted() {
  const int self = ::getpid();
  const int own_session = ::getsid(0);
  for (const ProcessEntry& entry : list_processes()) {
    if (entry.parent != self || !entry.dead() || entry.session == own_session) {
      continue;
    }
    // Locked across check and wait: see register_spawned().
    const std::scoped_lock lock(registry().mutex);
    if (!registry().pids.contains(entry.pid)) {
      ::waitpid(entry.pid, nullptr, WNOHANG);
    }
  }
}

}  // namespace dlbench::process
