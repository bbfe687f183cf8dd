// (b) The cost of a step in which nothing is computed, for each language of the SDK.
#pragma once

#include <string>

#include "bench/setup.hpp"

namespace dlbench::bench {

struct NullStep {
  std::string title;
  // Nanoseconds per step of long chunks: median, lowest and highest of the chunks.
  struct Time {
    double median_ns = 0.0;
    double lowest_ns = 0.0;
    double highest_ns = 0.0;
  };
  Time drained_at_ends;
  Time drained_each;
};

[[nodiscard]] tl::expected<NullStep, std::string> measure_null_step(const Setup& setup,
                                                                    const std::string& runner);

}  // namespace dlbench::bench
