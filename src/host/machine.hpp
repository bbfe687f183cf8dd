// What the host needs to know of this machine once, before the first case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dlbench::host {

struct Machine {
  std::vector<int> cpus;  // usable ones, cores before hyper-threads
  std::string cpu_model;
  std::string cpu_flags;
  std::uint64_t last_level_cache_bytes = 0;  // 0: the machine does not say
};

[[nodiscard]] Machine this_machine();

// Where a run's processes may be. `shared_host`: the host has no CPU of its own.
struct Placement {
  std::vector<int> runner_cpus;
  std::vector<int> host_cpus;
  bool shared_host = false;
};
// The runner gets the last `threads` usable CPUs, the host the others. Throws base::UserError when there are
// too few.
[[nodiscard]] Placement place(const std::vector<int>& usable_cpus, int threads);

// For untimed work, several runs at once: disjoint sets of the usable CPUs, each of at least `threads`, as
// many as there are runs if there are CPUs enough. One set of all where not even one fits.
[[nodiscard]] std::vector<std::vector<int>> cpu_sets(const std::vector<int>& usable_cpus, int threads,
                                                     std::size_t runs);

// Confines the calling thread while it lives; restores the former set.
class HostConfinement {
 public:
  explicit HostConfinement(const Placement& placement);
  ~HostConfinement();
  HostConfinement(const HostConfinement&) = delete;
  HostConfinement& operator=(const HostConfinement&) = delete;

 private:
  std::vector<int> former_;
};

}  // namespace dlbench::host
