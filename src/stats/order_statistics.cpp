// Median, spread and quantiles of one sample, and the distribution-free interval of its median.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/error.hpp"
#include "stats/stats.hpp"

namespace dlbench::stats {
namespace {

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  DLBENCH_ASSERT(std::none_of(copy.begin(), copy.end(), [](double x) { return std::isnan(x); }),
                 "not-a-number has no place in an order");
  std::sort(copy.begin(), copy.end());
  return copy;
}

// Half of the sum without overflow; of two equal infinities too.
double midpoint(double low, double high) {
  return low == high ? low : 0.5 * low + 0.5 * high;
}

}  // namespace

std::optional<double> median(std::span<const double> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  const std::vector<double> ordered = sorted(values);
  const std::size_t half = ordered.size() / 2;
  return ordered.size() % 2 == 1 ? ordered[half] : midpoint(ordered[half - 1], ordered[half]);
}

std::optional<double> mad(std::span<const double> values) {
  const std::optional<double> centre = median(values);
  if (!centre) {
    return std::nullopt;
  }
  std::vector<double> deviations;
  deviations.reserve(values.size());
  std::transform(values.begin(), values.end(), std::back_inserter(deviations),
                 [&centre](double x) { return std::abs(x - *centre); });
  return median(deviations);
}

std::optional<double> quantile(std::span<const double> values, double p) {
  DLBENCH_ASSERT(p >= 0.0 && p <= 1.0, "a quantile is asked for between 0 and 1");
  if (values.empty()) {
    return std::nullopt;
  }
  const std::vector<double> ordered = sorted(values);
  const double position = p * static_cast<double>(ordered.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, ordered.size() - 1);
  const double share = position - static_cast<double>(below);
  if (share == 0.0 || ordered[below] == ordered[above]) {
    return ordered[below];
  }
  return (1.0 - share) * ordered[below] + share * ordered[above];
}

// The number of values below the median is binomial(n, 1/2), so [x(k), x(n+1-k)] misses it with probability
// 2 P(B <= k - 1). The largest such k is taken.
std::optional<Interval> median_interval(std::span<const double> values, double level) {
  DLBENCH_ASSERT(level > 0.0 && level < 1.0, "a confidence level lies between 0 and 1");
  const std::vector<double> ordered = sorted(values);
  const std::size_t n = ordered.size();
  // Logarithms, because 2^-n underflows for a long series. They cost a few units of round-off: without the
  // slack, a level that is attained exactly would be lost.
  const double allowed = (1.0 - level) * (1.0 + 1e-12);
  double log_probability = -static_cast<double>(n) * std::log(2.0);
  double missed = 0.0;
  std::size_t k = 0;
  while (2 * (k + 1) <= n + 1 && missed + 2.0 * std::exp(log_probability) <= allowed) {
    missed += 2.0 * std::exp(log_probability);
    log_probability += std::log(static_cast<double>(n - k) / static_cast<double>(k + 1));
    ++k;
  }
  if (k == 0) {
    return std::nullopt;
  }
  return Interval{.low = ordered[k - 1], .high = ordered[n - k], .level = 1.0 - missed};
}

}  // namespace dlbench::stats
