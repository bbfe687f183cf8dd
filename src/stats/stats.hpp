// Statistics of runs: spans of numbers in, structs out. No I/O, no clock, no text. docs/statistics.md
// explains each.
//
// Not-a-number is a caller's bug everywhere (DLBENCH_ASSERT); order statistics accept infinities, arithmetic
// does not.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dlbench::stats {

[[nodiscard]] std::optional<double> median(std::span<const double> values);
// Median of |x - median|, unscaled; finite values.
[[nodiscard]] std::optional<double> mad(std::span<const double> values);
// Linear interpolation between order statistics (Hyndman and Fan 1996, type 7); p in [0, 1].
[[nodiscard]] std::optional<double> quantile(std::span<const double> values, double p);

struct Interval {
  double low = 0.0;
  double high = 0.0;
  double level = 0.0;  // attained confidence, at least what was asked for
};

// Hodges and Lehmann 1963: median of the n(n+1)/2 Walsh averages. nullopt when empty.
[[nodiscard]] std::optional<double> hodges_lehmann(std::span<const double> differences);
// Exact distribution-free interval by inverting the signed-rank test: Walsh averages at the quantile of its
// exact null distribution. nullopt when n is too small for the level (2·2⁻ⁿ > 1 − level).
[[nodiscard]] std::optional<Interval> wilcoxon_interval(std::span<const double> differences, double level);
// Two-sided exact p-value of Wilcoxon's signed-rank test for "symmetric about 0". Zeros are dropped, ties get
// average ranks and the permutation distribution of those ranks (Pratt is not used; Lehmann 1975). 1 when
// nothing is left. Exact up to 200 differences; beyond, normal with the ranks' own variance and continuity
// correction (interval too).
[[nodiscard]] double signed_rank_p(std::span<const double> differences);
// Smallest two-sided p-value possible with n pairs: 2·2⁻ⁿ, at most 1.
[[nodiscard]] double smallest_p(int n);
// Smallest n with 2·2⁻ⁿ <= alpha / m.
[[nodiscard]] int runs_needed(double alpha, int m);

// Holm 1979, step-down; same order as the input, each capped at 1.
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

// Paired comparison on positive finite values: ratios a/b, computed on logs. nullopt when there is no pair.
struct PairedRatio {
  int n = 0;
  double ratio = 1.0;                       // exp(hodges_lehmann(log a - log b))
  std::optional<Interval> interval;         // at 1 - alpha
  std::optional<Interval> interval_margin;  // at 1 - 2·alpha, for "same within margin"
  double p = 1.0;
};
[[nodiscard]] std::optional<PairedRatio> paired_ratio(std::span<const double> a, std::span<const double> b,
                                                      double alpha);

// Interval of the median of one sample (sign-test order statistics). nullopt when n is too small.
[[nodiscard]] std::optional<Interval> median_interval(std::span<const double> values, double level);

// Lag-1 autocorrelation of finite values; nullopt below two values or when all are equal.
// Effective n = n (1 - rho) / (1 + rho), at most n, at least 1; n itself where rho is undefined (0 for an
// empty series).
[[nodiscard]] std::optional<double> autocorrelation(std::span<const double> values);
[[nodiscard]] double effective_count(std::span<const double> values);

}  // namespace dlbench::stats
