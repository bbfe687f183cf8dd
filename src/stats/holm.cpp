#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "stats/stats.hpp"

namespace dlbench::stats {

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&p_values](std::size_t i, std::size_t j) { return p_values[i] < p_values[j]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0.0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const double p = p_values[order[place]];
    DLBENCH_ASSERT(p >= 0.0 && p <= 1.0, "a p-value lies between 0 and 1");
    const auto hypotheses_left = static_cast<double>(order.size() - place);
    // Never below an earlier one: once a hypothesis stands, all later ones stand.
    largest = std::max(largest, std::min(1.0, hypotheses_left * p));
    adjusted[order[place]] = largest;
  }
  return adjusted;
}

}  // namespace dlbench::stats
