#include "process/kill.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <set>

#include "base/clock.hpp"
#include "process/children.hpp"
#include "process/pidfd.hpp"
#include "process/process.hpp"

namespace dlbench::process {
namespace {

constexpr std::int64_t give_up_ns = 60'000'000'000;
constexpr int death_wait_ms = 1000;

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
    (void)::poll(&waiting, 1, death_wait_ms);
  }
  return static_cast<int>(killed.size());
}

using Identities = std::set<std::pair<int, std::uint64_t>>;

// A daemon that forks and exits between the listing of /proc and the look at its entry shows neither parent
// nor child in that look. It leaves a corpse with this host, so one empty look proves nothing, and two prove
// it only when no corpse came between them.
Identities adopted_dead(const std::vector<ProcessEntry>& all) {
  const int self = ::getpid();
  Identities dead;
  for (const ProcessEntry& entry : all) {
    if (entry.parent == self && entry.dead()) {
      dead.emplace(entry.pid, entry.start_ticks);
    }
  }
  return dead;
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
  const std::int64_t deadline_ns = base::monotonic_ns() + give_up_ns;
  Identities killed;
  std::optional<Identities> dead_at_last_look;  // set while nothing is found
  while (base::monotonic_ns() < deadline_ns) {
    const std::vector<ProcessEntry> all = list_processes();
    const std::vector<ProcessEntry> chosen = select(all);
    if (chosen.empty()) {
      Identities dead = adopted_dead(all);
      if (dead_at_last_look == dead) {
        break;
      }
      dead_at_last_look = std::move(dead);
      continue;
    }
    dead_at_last_look.reset();
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
