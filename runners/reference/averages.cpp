#include "averages.hpp"

#include <algorithm>

namespace reference {

void Averages::restart(const std::string& name, const Weights& weights) {
  if (!exist() || dlbench::model::is_statistic(weights.parameter.role)) {
    return;
  }
  const auto [average, is_new] = values_.try_emplace(name, weights.buffer_count());
  std::copy_n(weights.values.data(), weights.buffer_count(), average->second.data());
}

void Averages::follow(std::map<std::string, Weights>& weights, std::int64_t step) {
  if (!exist()) {
    return;
  }
  const auto share = static_cast<float>(1.0 - dlbench::model::ema_decay(ema_, step));
  for (auto& [name, average] : values_) {
    float* __restrict a = average.data();
    const float* __restrict w = weights.at(name).values.data();
    const auto count = static_cast<std::int64_t>(weights.at(name).buffer_count());
#pragma omp parallel for simd schedule(static)
    for (std::int64_t i = 0; i < count; ++i) {
      a[i] -= share * (a[i] - w[i]);
    }
  }
}

void Averages::show(std::map<std::string, Weights>& weights, bool averages) {
  if (shown_ == averages) {
    return;
  }
  shown_ = averages;
  for (auto& [name, average] : values_) {
    Weights& own = weights.at(name);
    std::swap_ranges(average.data(), average.data() + own.buffer_count(), own.values.data());
  }
}

}  // namespace reference
