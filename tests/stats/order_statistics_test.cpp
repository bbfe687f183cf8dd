#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "binomial.hpp"
#include "stats/stats.hpp"

namespace dlbench::stats {
namespace {

using Values = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Median, OfNoneOneTwoAndMore) {
  EXPECT_EQ(median(Values{}), std::nullopt);
  EXPECT_EQ(median(Values{3.0}), 3.0);
  EXPECT_EQ(median(Values{5.0, 1.0}), 3.0);
  EXPECT_EQ(median(Values{9.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median(Values{4.0, 1.0, 2.0, 100.0}), 3.0);
}

TEST(Median, SurvivesExtremes) {
  EXPECT_EQ(median(Values{1e308, 1e308}), 1e308);
  EXPECT_EQ(median(Values{1.0, infinity, infinity}), infinity);
  EXPECT_EQ(median(Values{infinity, infinity}), infinity);
  EXPECT_THROW(static_cast<void>(median(Values{std::nan("")})), base::Bug);
}

TEST(Mad, IsTheUnscaledMedianDeviation) {
  EXPECT_EQ(mad(Values{}), std::nullopt);
  EXPECT_EQ(mad(Values{3.0}), 0.0);
  EXPECT_EQ(mad(Values{1.0, 2.0}), 0.5);
  // median 2; deviations 1 1 0 0 2 4 7 -> median 1 (the textbook example 1 1 2 2 4 6 9)
  EXPECT_EQ(mad(Values{1, 1, 2, 2, 4, 6, 9}), 1.0);
}

// R: quantile(c(15,20,35,40,50), c(.05,.3,.4,.5,1)) is 16, 23, 29, 35, 50 by hand: position 4p between order
// statistics.
TEST(Quantile, InterpolatesAsType7) {
  const Values values{50, 15, 40, 20, 35};
  EXPECT_EQ(quantile(Values{}, 0.5), std::nullopt);
  EXPECT_EQ(quantile(Values{7.0}, 0.9), 7.0);
  EXPECT_EQ(quantile(Values{1.0, 3.0}, 0.25), 1.5);
  EXPECT_NEAR(quantile(values, 0.05).value(), 16.0, 1e-12);
  EXPECT_NEAR(quantile(values, 0.30).value(), 23.0, 1e-12);
  EXPECT_NEAR(quantile(values, 0.40).value(), 29.0, 1e-12);
  EXPECT_EQ(quantile(values, 0.0), 15.0);
  EXPECT_EQ(quantile(values, 0.5), 35.0);
  EXPECT_EQ(quantile(values, 1.0), 50.0);
  EXPECT_THROW(static_cast<void>(quantile(values, 1.01)), base::Bug);
  EXPECT_EQ(quantile(Values{1.0, infinity, infinity}, 0.75), infinity);
}

TEST(MedianInterval, NeedsEnoughValues) {
  EXPECT_EQ(median_interval(Values{}, 0.95), std::nullopt);
  EXPECT_EQ(median_interval(Values{1.0}, 0.95), std::nullopt);
  // 2 · 2⁻⁵ = 0.0625 > 0.05
  EXPECT_EQ(median_interval(Values{1, 2, 3, 4, 5}, 0.95), std::nullopt);
  // 2 · 2⁻¹ = 1: one value misses always, two values with probability 1/2.
  EXPECT_EQ(median_interval(Values{1.0}, 0.01), std::nullopt);
  const auto two = median_interval(Values{4.0, 3.0}, 0.5);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->low, 3.0);
  EXPECT_EQ(two->high, 4.0);
  EXPECT_NEAR(two->level, 0.5, 1e-12);
}

// Published order statistics of the 95 % sign interval: n = 6, 8: k = 1; n = 9: 2; n = 15: 4; n = 20: 6.
TEST(MedianInterval, TakesThePublishedOrderStatistics) {
  const std::vector<std::pair<int, int>> published = {{6, 1},  {8, 1},  {9, 2}, {12, 3},
                                                      {15, 4}, {20, 6}, {25, 8}};
  for (const auto& [n, k] : published) {
    Values values;
    for (int i = n; i > 0; --i) {
      values.push_back(i);
    }
    const auto interval = median_interval(values, 0.95);
    ASSERT_TRUE(interval) << n;
    EXPECT_EQ(interval->low, k) << n;
    EXPECT_EQ(interval->high, n + 1 - k) << n;
  }
}

TEST(MedianInterval, StatesTheLevelItAttains) {
  // n = 7, k = 1: 1 - 2/128; n = 9, k = 2: 1 - 2 (1 + 9)/512
  EXPECT_NEAR(median_interval(Values{1, 2, 3, 4, 5, 6, 7}, 0.95)->level, 1.0 - 2.0 / 128, 1e-12);
  EXPECT_NEAR(median_interval(Values{1, 2, 3, 4, 5, 6, 7, 8, 9}, 0.95)->level, 1.0 - 20.0 / 512, 1e-12);
  // A level that can be attained exactly is attained.
  EXPECT_TRUE(median_interval(Values{1, 2, 3, 4, 5, 6}, 0.96875));
  EXPECT_GE(median_interval(Values(5000, 1.0), 0.95)->level, 0.95);
}

// The interval is distribution-free: skewed values (exponential) must be covered at the attained level.
TEST(MedianInterval, CoversTheMedianAsOftenAsItSays) {
  constexpr int draws = 4000;
  constexpr int n = 9;
  const base::Random random(11, base::Stream::verification);
  int missed = 0;
  double level = 0.0;
  for (int draw = 0; draw < draws; ++draw) {
    Values values;
    for (int i = 0; i < n; ++i) {
      values.push_back(-std::log1p(-random.uniform(static_cast<std::uint64_t>(draw * n + i))));
    }
    const auto interval = median_interval(values, 0.95).value();
    level = interval.level;
    missed += (interval.low > std::log(2.0) || interval.high < std::log(2.0)) ? 1 : 0;
  }
  EXPECT_LE(missed, testing::binomial_quantile(draws, 1.0 - level, 0.999));
  EXPECT_GE(missed, testing::binomial_quantile(draws, 1.0 - level, 0.001));
}

}  // namespace
}  // namespace dlbench::stats
