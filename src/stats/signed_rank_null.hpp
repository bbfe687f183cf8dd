// The null distribution of Wilcoxon's signed-rank statistic W, the sum of the ranks of the positive
// differences. Internal to stats.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dlbench::stats {

// Largest number of ranks whose distribution is counted exactly; beyond it, a normal approximation is used.
inline constexpr std::size_t exact_limit = 200;

// Under the null hypothesis each rank is positive with probability 1/2, independently. Ranks are doubled, so
// that the average ranks of ties are integers. Exact up to `exact_limit` ranks: by dynamic programming in
// double over halved counts, where only positive terms are added (relative error below 1e-13; no rounding at
// all up to 52 ranks). Beyond: normal with the variance of these very ranks (so ties are accounted for) and a
// continuity correction of half a step.
class SignedRankNull {
 public:
  explicit SignedRankNull(std::span<const std::int64_t> doubled_ranks);

  // P(2W <= doubled_sum).
  [[nodiscard]] double lower_tail(std::int64_t doubled_sum) const;
  [[nodiscard]] std::int64_t doubled_total() const { return total_; }

 private:
  std::int64_t total_ = 0;
  std::int64_t step_ = 1;          // distance of neighbouring sums: 2 without ties, else 1
  double deviation_ = 0.0;         // of 2W, for the approximation
  std::vector<double> cumulated_;  // empty: approximation
};

// The distribution for ranks 1 … n.
[[nodiscard]] SignedRankNull untied_null(std::size_t n);

}  // namespace dlbench::stats
