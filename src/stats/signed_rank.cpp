// Wilcoxon's signed-rank test, the estimate and the interval that belong to it.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "stats/signed_rank_null.hpp"
#include "stats/stats.hpp"

namespace dlbench::stats {
namespace {

// Twice the average rank of each |value|, same order as the input.
std::vector<std::int64_t> doubled_ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size_at = [&values](std::size_t i) { return std::abs(values[i]); };
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return size_at(i) < size_at(j); });
  std::vector<std::int64_t> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && size_at(order[end]) == size_at(order[begin])) {
      ++end;
    }
    // Places begin + 1 … end share their mean (begin + 1 + end) / 2.
    for (std::size_t i = begin; i < end; ++i) {
      ranks[order[i]] = static_cast<std::int64_t>(begin + 1 + end);
    }
    begin = end;
  }
  return ranks;
}

std::vector<double> sorted_walsh_averages(std::span<const double> values) {
  std::vector<double> averages;
  averages.reserve(values.size() * (values.size() + 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    DLBENCH_ASSERT(std::isfinite(values[i]), "averages need finite differences");
    for (std::size_t j = 0; j <= i; ++j) {
      averages.push_back(0.5 * values[i] + 0.5 * values[j]);
    }
  }
  std::sort(averages.begin(), averages.end());
  return averages;
}

}  // namespace

std::optional<double> hodges_lehmann(std::span<const double> differences) {
  return median(sorted_walsh_averages(differences));
}

// The interval holds all shifts that the untied two-sided test accepts: between the k-th smallest and the
// k-th largest Walsh average, missed with probability 2 P(W <= k - 1). The largest such k is taken.
std::optional<Interval> wilcoxon_interval(std::span<const double> differences, double level) {
  DLBENCH_ASSERT(level > 0.0 && level < 1.0, "a confidence level lies between 0 and 1");
  const std::size_t n = differences.size();
  if (smallest_p(static_cast<int>(n)) > 1.0 - level) {
    return std::nullopt;
  }
  const std::vector<double> averages = sorted_walsh_averages(differences);
  const SignedRankNull null = untied_null(n);
  std::size_t k = 0;
  double missed = 0.0;
  while (2 * (k + 1) <= averages.size()) {
    const double next = 2.0 * null.lower_tail(2 * static_cast<std::int64_t>(k));
    if (next > 1.0 - level) {
      break;
    }
    missed = next;
    ++k;
  }
  if (k == 0) {
    return std::nullopt;
  }
  return Interval{.low = averages[k - 1], .high = averages[averages.size() - k], .level = 1.0 - missed};
}

double signed_rank_p(std::span<const double> differences) {
  std::vector<double> kept;
  for (const double difference : differences) {
    DLBENCH_ASSERT(!std::isnan(difference), "not-a-number has no rank");
    if (difference != 0.0) {
      kept.push_back(difference);
    }
  }
  if (kept.empty()) {
    return 1.0;
  }
  const std::vector<std::int64_t> ranks = doubled_ranks_of(kept);
  const SignedRankNull null(ranks);
  std::int64_t positive = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    positive += kept[i] > 0.0 ? ranks[i] : 0;
  }
  // W and total − W have the same distribution: the smaller of the two gives both tails.
  const std::int64_t smaller = std::min(positive, null.doubled_total() - positive);
  return std::min(1.0, 2.0 * null.lower_tail(smaller));
}

double smallest_p(int n) {
  DLBENCH_ASSERT(n >= 0, "a count");
  return std::min(1.0, std::ldexp(1.0, 1 - n));
}

int runs_needed(double alpha, int m) {
  DLBENCH_ASSERT(alpha > 0.0 && alpha <= 1.0 && m >= 1, "alpha in (0, 1], at least one test");
  int n = 1;
  while (smallest_p(n) > alpha / m) {
    ++n;
  }
  return n;
}

}  // namespace dlbench::stats
