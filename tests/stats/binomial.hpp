// Bounds for simulations with fixed seeds: what a correct method exceeds with a stated small probability.
#pragma once

#include <cmath>

namespace dlbench::stats::testing {

// Smallest q with P(binomial(n, p) <= q) >= level.
inline int binomial_quantile(int n, double p, double level) {
  double log_term = n * std::log1p(-p);
  double sum = std::exp(log_term);
  int q = 0;
  while (sum < level && q < n) {
    log_term += std::log((n - q) * p / ((q + 1) * (1.0 - p)));
    ++q;
    sum += std::exp(log_term);
  }
  return q;
}

}  // namespace dlbench::stats::testing
