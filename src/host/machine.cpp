#include "host/machine.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <fstream>

#include "base/error.hpp"
#include "probes/machine.hpp"

namespace dlbench::host {
namespace {

// sysfs writes sizes as "32768K"; the highest cache index is the last level.
std::uint64_t read_last_level_cache_bytes() {
  std::uint64_t bytes = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/size", index));
    std::uint64_t number = 0;
    char unit = ' ';
    if (file >> number >> unit && number < (1ULL << 32U)) {
      const std::uint64_t scale = unit == 'M' ? 1U << 20U : unit == 'K' ? 1U << 10U : 1U;
      bytes = std::max(bytes, number * scale);
    }
  }
  return bytes;
}

void set_affinity(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) {
    CPU_SET(static_cast<std::size_t>(cpu), &set);
  }
  // A refusal only means that the host stays where it was; the run's own read-back decides about validity.
  static_cast<void>(sched_setaffinity(0, sizeof set, &set));
}

std::vector<int> current_affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) {
        cpus.push_back(cpu);
      }
    }
  }
  return cpus;
}

}  // namespace

Machine this_machine() {
  const probes::Processor& processor = probes::this_processor();
  return {probes::usable_cpus(), processor.model, processor.flags, read_last_level_cache_bytes()};
}

Placement place(const std::vector<int>& usable_cpus, int threads) {
  const auto count = static_cast<std::size_t>(threads);
  if (threads < 1 || count > usable_cpus.size()) {
    throw base::UserError(fmt::format("{} threads asked for, {} CPUs usable", threads, usable_cpus.size()),
                          "threads", "use 'all' for every CPU of the machine");
  }
  Placement placement;
  const auto split = usable_cpus.end() - static_cast<std::ptrdiff_t>(count);
  placement.runner_cpus.assign(split, usable_cpus.end());
  placement.host_cpus.assign(usable_cpus.begin(), split);
  placement.shared_host = placement.host_cpus.empty();
  if (placement.shared_host) {
    placement.host_cpus = usable_cpus;
  }
  return placement;
}

std::vector<std::vector<int>> cpu_sets(const std::vector<int>& usable_cpus, int threads, std::size_t runs) {
  const std::size_t cpus = usable_cpus.size();
  const std::size_t fitting = cpus / static_cast<std::size_t>(std::max(threads, 1));
  std::vector<std::vector<int>> sets(std::max<std::size_t>(1, std::min(runs, fitting)));
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto start_of = [&](std::size_t set) {
      return usable_cpus.begin() + static_cast<std::ptrdiff_t>(cpus * set / sets.size());
    };
    sets[i].assign(start_of(i), start_of(i + 1));
  }
  return sets;
}

HostConfinement::HostConfinement(const Placement& placement) : former_(current_affinity()) {
  set_affinity(placement.host_cpus);
}

HostConfinement::~HostConfinement() {
  if (!former_.empty()) {
    set_affinity(former_);
  }
}

}  // namespace dlbench::host
