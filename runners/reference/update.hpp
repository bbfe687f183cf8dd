// What the loops of all optimizers share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "network.hpp"

namespace reference {

// The parameter's own weight decay.
[[nodiscard]] inline float decay_of(const Network& network, const Weights& weights) {
  const auto& optimizer = network.load().recipe.optimizer;
  const bool decays = dlbench::model::decays(weights.parameter.role, optimizer);
  return static_cast<float>(decays ? optimizer.weight_decay : 0.0);
}

// Beyond what no gradient element goes.
[[nodiscard]] inline float limit_of(const Network& network) {
  const auto& clip = network.load().recipe.clip;
  return clip.by == dlbench::model::ClipBy::element ? static_cast<float>(clip.limit)
                                                    : std::numeric_limits<float>::infinity();
}

// Optimizer state that starts at these values, one buffer for each; made at the first call.
inline void want_state(Weights& weights, std::vector<float> starts) {
  if (weights.state.empty()) {
    for (std::size_t i = 0; i < starts.size(); ++i) {
      weights.state.emplace_back(weights.buffer_count());
    }
    weights.state_starts = std::move(starts);
  }
}

// Subtracts move(i, g) from weight i, g its gradient, clipped and with the decay's part. Padding of blocked
// layouts has gradient and weight zero, and every optimizer leaves such a weight at zero.
template <class Move>
void move_weights(const Weights& weights, const StepNumbers& numbers, float decay, float limit, Move move) {
  float* __restrict values = weights.values.data();
  const float* __restrict gradient = weights.gradient.data();
  const float factor = numbers.clip_factor;
  const auto count = static_cast<std::int64_t>(weights.buffer_count());
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const float clipped = std::min(std::max(factor * gradient[i], -limit), limit);
    values[i] -= move(i, clipped + decay * values[i]);
  }
}

}  // namespace reference
