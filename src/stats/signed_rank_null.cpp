#include "stats/signed_rank_null.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dlbench::stats {
namespace {

// probability[s] = P(2W = s): each rank moves half of the mass up by itself.
std::vector<double> convolve(std::span<const std::int64_t> doubled_ranks, std::int64_t total) {
  std::vector<double> probability(static_cast<std::size_t>(total) + 1, 0.0);
  probability[0] = 1.0;
  std::size_t reached = 0;
  for (const std::int64_t rank : doubled_ranks) {
    const auto shift = static_cast<std::size_t>(rank);
    reached += shift;
    for (std::size_t s = reached + 1; s-- > 0;) {
      const double moved = s >= shift ? probability[s - shift] : 0.0;
      probability[s] = 0.5 * probability[s] + 0.5 * moved;
    }
  }
  return probability;
}

}  // namespace

SignedRankNull::SignedRankNull(std::span<const std::int64_t> doubled_ranks)
    : total_(std::accumulate(doubled_ranks.begin(), doubled_ranks.end(), std::int64_t{0})) {
  if (doubled_ranks.size() <= exact_limit) {
    cumulated_ = convolve(doubled_ranks, total_);
    std::partial_sum(cumulated_.begin(), cumulated_.end(), cumulated_.begin());
    return;
  }
  double squares = 0.0;
  for (const std::int64_t rank : doubled_ranks) {
    squares += static_cast<double>(rank) * static_cast<double>(rank);
  }
  deviation_ = 0.5 * std::sqrt(squares);
  const bool untied = std::all_of(doubled_ranks.begin(), doubled_ranks.end(),
                                  [](std::int64_t rank) { return rank % 2 == 0; });
  step_ = untied ? 2 : 1;
}

double SignedRankNull::lower_tail(std::int64_t doubled_sum) const {
  if (doubled_sum < 0) {
    return 0.0;
  }
  if (doubled_sum >= total_) {
    return 1.0;
  }
  if (!cumulated_.empty()) {
    return std::min(1.0, cumulated_[static_cast<std::size_t>(doubled_sum)]);
  }
  const double distance =
      static_cast<double>(doubled_sum) + 0.5 * static_cast<double>(step_) - 0.5 * static_cast<double>(total_);
  return 0.5 * std::erfc(-distance / (deviation_ * std::sqrt(2.0)));
}

SignedRankNull untied_null(std::size_t n) {
  std::vector<std::int64_t> doubled(n);
  for (std::size_t i = 0; i < n; ++i) {
    doubled[i] = 2 * static_cast<std::int64_t>(i + 1);
  }
  return SignedRankNull(doubled);
}

}  // namespace dlbench::stats
