// When is a runner warm? Pure: chunk times in, decision out.
#pragma once

#include <cstdint>
#include <vector>

namespace dlbench::host {

struct WarmUpRule {
  std::int64_t least_steps = 50;
  double least_seconds = 2.0;
  std::int64_t cap_steps = 2000;
  double cap_seconds = 60.0;
};

// A step above this is slow: chunks of 5 steps and a floor of 5 steps.
inline constexpr std::int64_t slow_step_ns = 200'000'000;
[[nodiscard]] std::int64_t warm_up_chunk_steps(std::int64_t first_step_ns);

enum class WarmUpState { cold, warm, unsteady };

// `step_ns` of each successive chunk (time of the chunk ÷ its steps). Warm when the floors are met and the
// last three lie within max(1 %, 3 × their median absolute deviation) of their median; unsteady when a cap
// was reached before.
[[nodiscard]] WarmUpState warm_up_state(const WarmUpRule& rule, const std::vector<double>& step_ns,
                                        std::int64_t steps, double seconds, bool slow);

}  // namespace dlbench::host
