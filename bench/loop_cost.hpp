// (a) The runner's timed loop against the same loop written by hand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/setup.hpp"
#include "bench/timed_loop.hpp"
#include "stats/stats.hpp"

namespace dlbench::bench {

struct LoopOptions {
  int process_pairs = 8;
  int chunk_pairs = 48;    // of all process pairs together
  std::int64_t steps = 0;  // of a chunk; 0: as many as take 0.3 s
  bool control = false;  // the hand-written program against itself: what this method shows for no difference
};

struct LoopCost {
  std::string title;
  int threads = 0;
  bool shared_host = false;
  std::int64_t chunk_steps = 0;
  int chunk_pairs = 0;
  double sdk_step_ns = 0.0;  // medians over all chunks
  double hand_step_ns = 0.0;
  // One value for each process pair: the typical ratio of its chunk pairs. This interval is the result.
  stats::PairedRatio between;
  std::vector<double> process_ratios;
  // Every chunk pair on its own; its interval speaks of these very processes only.
  stats::PairedRatio within;
  double foreign_ratio = 0.0;  // CPU time of others on the measured CPUs: the highest of the process pairs
};

// Fails with a sentence: not installed, a process that failed, or two programs that do not compute the same.
[[nodiscard]] tl::expected<LoopCost, std::string> measure_loop(const Setup& setup,
                                                               const std::string& framework, int threads,
                                                               const LoopOptions& options);

}  // namespace dlbench::bench
