// (c) What the host takes while a runner is measured: CPU time inside windows, and memory.
#pragma once

#include <cstdint>
#include <string>

#include "bench/setup.hpp"

namespace dlbench::bench {

struct HostCost {
  std::string title;
  int windows = 0;
  double window_seconds = 0.0;     // of each
  double median_cpu_ratio = 0.0;   // of one core
  double highest_cpu_ratio = 0.0;  // of the windows
  std::uint64_t rss_bytes = 0;     // this process after the windows, without shared memory (the arena)
};

// Windows as W1 has them, one thread: 5 s, drained at the ends.
[[nodiscard]] tl::expected<HostCost, std::string> measure_host(const Setup& setup,
                                                               const std::string& framework);

struct StudyCost {
  std::string title;
  std::uint64_t peak_bytes = 0;      // highest sampled resident set without shared memory (the arena)
  std::uint64_t peak_rss_bytes = 0;  // VmHWM, arena included
  double seconds = 0.0;
  bool complete = false;  // exit status 0
};

// A whole `dlbench run` of a small study (gate, one block) as a process of its own, watched 20 times a
// second.
[[nodiscard]] tl::expected<StudyCost, std::string> measure_study(const Setup& setup,
                                                                 const std::string& framework);

}  // namespace dlbench::bench
