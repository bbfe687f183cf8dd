#include "process/kill.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <set>

#include "base/clock.hpp"
#include "process/children.hpp"
#include "process/pidfd.hpp"
#include "process/process.hpp"

namespace dlbench::process {
namespace {

constexpr std::int64_t kGiveUpNs = 60'000'000'000;
constexpr int kDeathWaitMs = 1000;

// A pidfd of exactly the process that was scanned; invalid when that one is gone.
Fd open_same(const ProcessEntry& entry) {
  Fd handle(::pidfd_open(entry.pid, 0));
  if (!handle.valid()) {
    return {};
  }
  // The number may have gone to another process since the scan; the handle opened above cannot change any
  // more.
  const auto now = read_process(entry.pid);
  return now && now->start_ticks == entry.start_ticks && !now->dead() ? std::move(handle) : Fd();
}

int kill_once(const std::vector<ProcessEntry>& chosen) {
  std::vector<Fd> killed;
  for (const ProcessEntry& entry : chosen) {
    Fd handle = open_same(entry);
    if (handle.valid() && ::pidfd_send_signal(handle.get(), SIGKILL, nullptr, 0) == 0) {
      killed.push_back(std::move(handle));
    }
  }
  for (const Fd& handle : killed) {
    pollfd waiting{handle.get(), POLLIN, 0};
    (void)::poll(&waiting, 1, kDeathWaitMs);
  }
  return static_cast<int>(killed.size());
}

void add_descendants(const std::vector<ProcessEntry>& all, std::set<int>& members) {
  for (bool grown = true; grown;) {
    grown = false;
    for (const ProcessEntry& entry : all) {
      grown = (members.contains(entry.parent) && members.insert(entry.pid).second) || grown;
    }
  }
}

}  // namespace

int kill_until_none(const Selection& select) {
  const std::int64_t deadline_ns = base::monotonic_ns() + kGiveUpNs;
  std::set<std::pair<int, std::uint64_t>> killed;
  while (base::monotonic_ns() < deadline_ns) {
    const std::vector<ProcessEntry> chosen = select(list_processes());
    if (chosen.empty()) {
      break;
    }
    if (kill_once(chosen) == 0) {
      ::usleep(1000);  // dying already, or not ours to kill
    }
    for (const ProcessEntry& entry : chosen) {
      killed.emplace(entry.pid, entry.start_ticks);
    }
  }
  return static_cast<int>(killed.size());
}

Selection members_of_run(const std::string& token, int root) {
  return [token, root](const std::vector<ProcessEntry>& all) {
    const int self = ::getpid();
    const int own_session = ::getsid(0);
    const bool adopts = root > 0 && only_child(root);
    std::set<int> members;
    for (const ProcessEntry& entry : all) {
      const bool adopted =
          adopts && entry.parent == self && entry.session != own_session && !is_registered(entry.pid);
      const bool in_tree = root > 0 && (entry.pid == root || entry.session == root || adopted);
      if (in_tree || environment_of(entry.pid, "DLBENCH_RUN") == token) {
        members.insert(entry.pid);
      }
    }
    add_descendants(all, members);
    std::vector<ProcessEntry> chosen;
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), [&](const ProcessEntry& entry) {
      return members.contains(entry.pid) && !entry.dead() && entry.pid != self;
    });
    return chosen;
  };
}

}  // namespace dlbench::process
