#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "stats/stats.hpp"

namespace dlbench::stats {

std::optional<double> autocorrelation(std::span<const double> values) {
  if (values.size() < 2) {
    return std::nullopt;
  }
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  DLBENCH_ASSERT(std::isfinite(mean), "correlation needs finite values");
  double lagged = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double here = values[i] - mean;
    squares += here * here;
    lagged += i + 1 < values.size() ? here * (values[i + 1] - mean) : 0.0;
  }
  if (squares == 0.0) {
    return std::nullopt;
  }
  return lagged / squares;
}

double effective_count(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const std::optional<double> rho = autocorrelation(values);
  if (!rho) {
    return n;
  }
  return std::clamp(n * (1.0 - *rho) / (1.0 + *rho), 1.0, n);
}

}  // namespace dlbench::stats
