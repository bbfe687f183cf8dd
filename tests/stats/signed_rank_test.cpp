#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "binomial.hpp"
#include "stats/signed_rank_null.hpp"
#include "stats/stats.hpp"

namespace dlbench::stats {
namespace {

using Values = std::vector<double>;

// Hollander and Wolfe (1973), table 3.1: depression scale before (x) and after (y), as differences y - x.
// Their published answers: p = 0.0391 two-sided, estimate -0.46, interval (-0.786, -0.010) at 96.1 %.
const Values depression{0.878 - 1.83, 0.647 - 0.50, 0.598 - 1.62, 2.05 - 2.48, 1.06 - 1.68,
                        1.29 - 1.88,  1.06 - 1.55,  3.14 - 3.06,  1.29 - 1.30};

// Independent check: all 2^n sign patterns over the average ranks, counted one by one.
double enumerated_p(const Values& differences) {
  Values kept;
  std::copy_if(differences.begin(), differences.end(), std::back_inserter(kept),
               [](double d) { return d != 0.0; });
  const std::size_t n = kept.size();
  Values ranks(n);
  double total = 0.0;
  double observed = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double below = 0.0;
    double equal = 0.0;
    for (const double other : kept) {
      below += std::abs(other) < std::abs(kept[i]) ? 1.0 : 0.0;
      equal += std::abs(other) == std::abs(kept[i]) ? 1.0 : 0.0;
    }
    ranks[i] = below + 0.5 * (equal + 1.0);
    total += ranks[i];
    observed += kept[i] > 0.0 ? ranks[i] : 0.0;
  }
  int as_extreme = 0;
  for (unsigned pattern = 0; pattern < (1U << n); ++pattern) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += (pattern >> i & 1U) != 0 ? ranks[i] : 0.0;
    }
    as_extreme += std::abs(sum - 0.5 * total) >= std::abs(observed - 0.5 * total) ? 1 : 0;
  }
  return as_extreme / std::ldexp(1.0, static_cast<int>(n));
}

TEST(SignedRankP, OfNoneOneAndTwo) {
  EXPECT_EQ(signed_rank_p(Values{}), 1.0);
  EXPECT_EQ(signed_rank_p(Values{0.0, 0.0}), 1.0);
  EXPECT_EQ(signed_rank_p(Values{3.0}), 1.0);
  EXPECT_EQ(signed_rank_p(Values{3.0, 1.0}), 0.5);
  EXPECT_EQ(signed_rank_p(Values{3.0, -1.0}), 1.0);
}

TEST(SignedRankP, ReproducesThePublishedExample) {
  EXPECT_EQ(signed_rank_p(depression), 0.0390625);  // 2 · 10 / 512
  EXPECT_EQ(enumerated_p(depression), 0.0390625);
}

TEST(SignedRankP, OfAllPositiveIsTheSmallestPossible) {
  for (int n = 1; n <= 30; ++n) {
    Values values;
    for (int i = 1; i <= n; ++i) {
      values.push_back(i);
    }
    EXPECT_EQ(signed_rank_p(values), smallest_p(n)) << n;
  }
}

// |d|: 1 1 2 2 2 -> ranks 1.5 1.5 4 4 4; positive: 1.5 + 4 + 4 + 4 = 13.5 of 15, negative 1.5. Patterns whose
// sum is at most 1.5: none, the first, the second: 3 of 32; two-sided 6/32.
TEST(SignedRankP, GivesTiesTheirAverageRank) {
  EXPECT_EQ(signed_rank_p(Values{-1, 1, 2, 2, 2}), 6.0 / 32.0);
}

TEST(SignedRankP, DropsZeros) {
  EXPECT_EQ(signed_rank_p(Values{0, 1, 2, 0, 3, 4, 5, 6}), signed_rank_p(Values{1, 2, 3, 4, 5, 6}));
}

TEST(SignedRankP, AgreesWithEnumerationWithTiesAndZeros) {
  const base::Random random(3, base::Stream::verification);
  std::uint64_t next = 0;
  for (std::size_t n = 1; n <= 13; ++n) {
    for (int repeat = 0; repeat < 8; ++repeat) {
      Values values;
      for (std::size_t i = 0; i < n; ++i) {
        // A few distinct sizes only, so that ties and zeros are frequent.
        values.push_back(static_cast<double>(random.below(next++, 9)) - 3.0);
      }
      EXPECT_NEAR(signed_rank_p(values), enumerated_p(values), 1e-15) << n;
    }
  }
}

TEST(SignedRankP, IgnoresScaleAndSymmetry) {
  Values scaled;
  Values mirrored;
  for (const double d : depression) {
    scaled.push_back(1024.0 * d);
    mirrored.push_back(-d);
  }
  EXPECT_EQ(signed_rank_p(scaled), signed_rank_p(depression));
  EXPECT_EQ(signed_rank_p(mirrored), signed_rank_p(depression));
}

TEST(SignedRankP, RanksInfinitiesAsLargest) {
  const double largest = std::numeric_limits<double>::infinity();
  EXPECT_EQ(signed_rank_p(Values{1, 2, 3, 4, 5, largest}), 2.0 / 64.0);
  EXPECT_THROW(static_cast<void>(signed_rank_p(Values{std::nan("")})), base::Bug);
}

// Wilcoxon's table of critical values, two-sided 5 %.
TEST(SignedRankNull, HasThePublishedCriticalValues) {
  const std::vector<std::pair<std::size_t, std::int64_t>> table = {
      {6, 0}, {7, 2}, {8, 3}, {9, 5}, {10, 8}, {12, 13}, {15, 25}, {20, 52}, {25, 89}};
  for (const auto& [n, critical] : table) {
    const SignedRankNull null = untied_null(n);
    EXPECT_LE(2.0 * null.lower_tail(2 * critical), 0.05) << n;
    EXPECT_GT(2.0 * null.lower_tail(2 * critical + 2), 0.05) << n;
  }
}

TEST(SignedRankNull, SumsToOneAndIsSymmetric) {
  for (const std::size_t n : {1U, 2U, 7U, 60U, 200U}) {
    const SignedRankNull null = untied_null(n);
    const std::int64_t total = null.doubled_total();
    EXPECT_EQ(total, static_cast<std::int64_t>(n * (n + 1)));
    EXPECT_EQ(null.lower_tail(-1), 0.0);
    EXPECT_EQ(null.lower_tail(total), 1.0);
    EXPECT_NEAR(null.lower_tail(total - 1), 1.0 - std::ldexp(1.0, -static_cast<int>(n)), 1e-12);
    for (std::int64_t s = 0; s < total; s += 1 + total / 7) {
      EXPECT_NEAR(null.lower_tail(s) + null.lower_tail(total - s - 1), 1.0, 1e-12) << n << " " << s;
    }
  }
}

// The approximation beyond the exact limit against long double counts of the same distribution. For n = 201
// the ratio of the tails between 0.001 and 0.5, with the counts in exact integers, runs from 0.99763
// to 1.05235.
TEST(SignedRankNull, IsWellApproximatedBeyondTheExactLimit) {
  constexpr std::size_t n = exact_limit + 1;
  std::vector<long double> probability(n * (n + 1) / 2 + 1, 0.0L);
  probability[0] = 1.0L;
  for (std::size_t rank = 1; rank <= n; ++rank) {
    for (std::size_t s = probability.size(); s-- > 0;) {
      probability[s] = 0.5L * (probability[s] + (s >= rank ? probability[s - rank] : 0.0L));
    }
  }
  const SignedRankNull null = untied_null(n);
  long double sum = 0.0L;
  for (std::size_t s = 0; s < probability.size(); ++s) {
    sum += probability[s];
    if (sum > 1e-3L && sum < 0.5L) {
      const double ratio = null.lower_tail(2 * static_cast<std::int64_t>(s)) / static_cast<double>(sum);
      EXPECT_GT(ratio, 0.9976) << s;
      EXPECT_LT(ratio, 1.0524) << s;
    }
  }
}

TEST(SmallestP, HalvesWithEachPair) {
  EXPECT_EQ(smallest_p(0), 1.0);
  EXPECT_EQ(smallest_p(1), 1.0);
  EXPECT_EQ(smallest_p(2), 0.5);
  EXPECT_EQ(smallest_p(7), 1.0 / 64.0);
}

// 2 · 2⁻ⁿ ≤ α / m by hand: 2⁻⁵ = 0.03125 ≤ 0.05; 2⁻⁶ = 0.0156 ≤ 0.025; 2⁻⁷ = 0.0078 ≤ 0.0125 and 0.0083.
TEST(RunsNeeded, FollowsFromTheSmallestP) {
  EXPECT_EQ(runs_needed(0.05, 1), 6);
  EXPECT_EQ(runs_needed(0.05, 2), 7);
  EXPECT_EQ(runs_needed(0.05, 4), 8);
  EXPECT_EQ(runs_needed(0.05, 6), 8);
  EXPECT_EQ(runs_needed(0.05, 7), 9);
  EXPECT_EQ(runs_needed(0.03125, 1), 6);
  EXPECT_EQ(runs_needed(1.0, 1), 1);
  EXPECT_THROW(static_cast<void>(runs_needed(0.0, 1)), base::Bug);
  EXPECT_THROW(static_cast<void>(runs_needed(0.05, 0)), base::Bug);
}

// With seven pairs the largest attainable size below 5 % is 2 · 3/128; the test must alarm exactly that often
// on noise of any symmetric shape. Heavy-tailed noise here: a normal divided by a uniform.
TEST(SignedRankP, RaisesFalseAlarmsAtItsAttainableSize) {
  constexpr int draws = 6000;
  constexpr int n = 7;
  constexpr double size = 2.0 * 3.0 / 128.0;
  const base::Random random(5, base::Stream::verification);
  const base::Random divisor(6, base::Stream::verification);
  int alarms = 0;
  for (int draw = 0; draw < draws; ++draw) {
    Values values;
    for (int i = 0; i < n; ++i) {
      const auto at = static_cast<std::uint64_t>(draw * n + i);
      values.push_back(random.normal(at) / (0.01 + static_cast<double>(divisor.uniform(at))));
    }
    alarms += signed_rank_p(values) <= 0.05 ? 1 : 0;
  }
  EXPECT_LE(alarms, testing::binomial_quantile(draws, size, 0.999));
  EXPECT_GE(alarms, testing::binomial_quantile(draws, size, 0.001));
}

TEST(HodgesLehmann, OfNoneOneTwoAndThree) {
  EXPECT_EQ(hodges_lehmann(Values{}), std::nullopt);
  EXPECT_EQ(hodges_lehmann(Values{4.0}), 4.0);
  EXPECT_EQ(hodges_lehmann(Values{1.0, 2.0}), 1.5);
  // Averages of 0, 1, 10: 0 0.5 1 5 5.5 10 -> (1 + 5) / 2
  EXPECT_EQ(hodges_lehmann(Values{0.0, 1.0, 10.0}), 3.0);
}

TEST(HodgesLehmann, ReproducesThePublishedExample) {
  EXPECT_NEAR(hodges_lehmann(depression).value(), -0.46, 1e-12);
}

TEST(WilcoxonInterval, ReproducesThePublishedExample) {
  const auto interval = wilcoxon_interval(depression, 0.95);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, -0.786, 1e-12);
  EXPECT_NEAR(interval->high, -0.010, 1e-12);
  EXPECT_EQ(interval->level, 1.0 - 20.0 / 512.0);
}

TEST(WilcoxonInterval, NeedsEnoughValues) {
  EXPECT_EQ(wilcoxon_interval(Values{}, 0.95), std::nullopt);
  EXPECT_EQ(wilcoxon_interval(Values{1.0}, 0.95), std::nullopt);
  EXPECT_EQ(wilcoxon_interval(Values{1, 2, 3, 4, 5}, 0.95), std::nullopt);
  const auto six = wilcoxon_interval(Values{1, 2, 3, 4, 5, 6}, 0.95);
  ASSERT_TRUE(six);
  EXPECT_EQ(six->low, 1.0);
  EXPECT_EQ(six->high, 6.0);
  EXPECT_EQ(six->level, 1.0 - 2.0 / 64.0);
  EXPECT_TRUE(wilcoxon_interval(Values{1, 2, 3, 4, 5}, 0.9375));
}

// A shift is inside the interval exactly when the test does not reject it (away from the end points, where
// the shifted sample has ties).
TEST(WilcoxonInterval, IsTheSetOfShiftsThatTheTestAccepts) {
  const auto interval = wilcoxon_interval(depression, 0.95).value();
  for (int step = -150; step <= 60; ++step) {
    const double shift = 0.01 * step + 0.00123;
    Values shifted;
    for (const double d : depression) {
      shifted.push_back(d - shift);
    }
    const bool inside = interval.low < shift && shift < interval.high;
    EXPECT_EQ(signed_rank_p(shifted) > 0.05, inside) << shift;
  }
}

TEST(WilcoxonInterval, CoversTheShiftAsOftenAsItSays) {
  constexpr int draws = 4000;
  constexpr double shift = 0.3;
  for (const int n : {6, 7, 12}) {
    const base::Random random(static_cast<std::uint64_t>(n), base::Stream::verification);
    int missed = 0;
    double level = 0.0;
    for (int draw = 0; draw < draws; ++draw) {
      Values values;
      for (int i = 0; i < n; ++i) {
        values.push_back(shift + random.normal(static_cast<std::uint64_t>(draw * n + i)));
      }
      const auto interval = wilcoxon_interval(values, 0.95).value();
      level = interval.level;
      missed += (interval.low > shift || interval.high < shift) ? 1 : 0;
    }
    EXPECT_GE(level, 0.95);
    EXPECT_LE(missed, testing::binomial_quantile(draws, 1.0 - level, 0.999)) << n;
    EXPECT_GE(missed, testing::binomial_quantile(draws, 1.0 - level, 0.001)) << n;
  }
}

TEST(WilcoxonInterval, WorksBeyondTheExactLimit) {
  Values values;
  const base::Random random(9, base::Stream::verification);
  for (std::uint64_t i = 0; i < 300; ++i) {
    values.push_back(random.normal(i));
  }
  const auto interval = wilcoxon_interval(values, 0.95);
  ASSERT_TRUE(interval);
  EXPECT_GE(interval->level, 0.95);
  EXPECT_LT(interval->level, 0.951);
  EXPECT_LT(interval->low, 0.0);
  EXPECT_GT(interval->high, 0.0);
}

}  // namespace
}  // namespace dlbench::stats
