#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "stats/stats.hpp"

namespace dlbench::stats {
namespace {

using Values = std::vector<double>;

TEST(PairedRatio, OfNoneOneAndTwo) {
  EXPECT_FALSE(paired_ratio(Values{}, Values{}, 0.05));
  const auto one = paired_ratio(Values{2.0}, Values{1.0}, 0.05).value();
  EXPECT_EQ(one.n, 1);
  EXPECT_DOUBLE_EQ(one.ratio, 2.0);
  EXPECT_FALSE(one.interval);
  EXPECT_EQ(one.p, 1.0);
  // The typical ratio of 2 and 8 is their geometric mean.
  EXPECT_DOUBLE_EQ(paired_ratio(Values{2.0, 8.0}, Values{1.0, 1.0}, 0.05)->ratio, 4.0);
}

TEST(PairedRatio, IsExactForAConstantRatio) {
  const Values b{1, 2, 3, 5, 8, 13, 21};
  Values a;
  for (const double value : b) {
    a.push_back(0.5 * value);
  }
  const auto result = paired_ratio(a, b, 0.05).value();
  EXPECT_EQ(result.n, 7);
  EXPECT_DOUBLE_EQ(result.ratio, 0.5);
  ASSERT_TRUE(result.interval);
  EXPECT_DOUBLE_EQ(result.interval->low, 0.5);
  EXPECT_DOUBLE_EQ(result.interval->high, 0.5);
  EXPECT_EQ(result.p, 1.0 / 64.0);
}

// Logs of the ratios are 1 … 6 in units of log 2. At 95 % the interval takes averages 1 and 21 (the
// extremes); at 90 % 2 P(W <= 2) = 6/64 <= 0.1 gives k = 3: the third average from each end, 2 and 5
// (averages 1, 1.5, 2, 2, …).
TEST(PairedRatio, HasBothIntervals) {
  const Values a{2, 4, 8, 16, 32, 64};
  const Values b(6, 1.0);
  const auto result = paired_ratio(a, b, 0.05).value();
  EXPECT_NEAR(result.ratio, std::exp2(3.5), 1e-12);
  EXPECT_NEAR(result.interval->low, 2.0, 1e-12);
  EXPECT_NEAR(result.interval->high, 64.0, 1e-12);
  EXPECT_EQ(result.interval->level, 1.0 - 2.0 / 64);
  EXPECT_NEAR(result.interval_margin->low, 4.0, 1e-12);
  EXPECT_NEAR(result.interval_margin->high, 32.0, 1e-11);
  EXPECT_EQ(result.interval_margin->level, 1.0 - 6.0 / 64);
}

TEST(PairedRatio, DoesNotDependOnTheUnit) {
  const Values a{1.03, 0.98, 1.1, 1.2, 0.99, 1.05, 1.01};
  const Values b{1.00, 1.01, 1.0, 1.1, 1.02, 1.00, 1.03};
  Values a_ns;
  Values b_ns;
  for (std::size_t i = 0; i < a.size(); ++i) {
    a_ns.push_back(1e9 * a[i]);
    b_ns.push_back(1e9 * b[i]);
  }
  const auto seconds = paired_ratio(a, b, 0.05).value();
  const auto nanoseconds = paired_ratio(a_ns, b_ns, 0.05).value();
  EXPECT_NEAR(seconds.ratio, nanoseconds.ratio, 1e-12);
  EXPECT_NEAR(seconds.interval->low, nanoseconds.interval->low, 1e-12);
  EXPECT_EQ(seconds.p, nanoseconds.p);
}

TEST(PairedRatio, InvertsWhenTheSidesChange) {
  const Values a{1.03, 0.98, 1.1, 1.2, 0.99, 1.05, 1.01};
  const Values b{1.00, 1.01, 1.0, 1.1, 1.02, 1.00, 1.03};
  const auto forward = paired_ratio(a, b, 0.05).value();
  const auto backward = paired_ratio(b, a, 0.05).value();
  EXPECT_NEAR(forward.ratio * backward.ratio, 1.0, 1e-12);
  EXPECT_NEAR(forward.interval->low * backward.interval->high, 1.0, 1e-12);
  EXPECT_EQ(forward.p, backward.p);
}

TEST(PairedRatio, KeepsExactTiesTied) {
  // 3/1 = 9/3 = 27/9 exactly: three equal sizes, ranks 2 2 2; then 1/3 breaks the sign of one.
  const auto result = paired_ratio(Values{3, 9, 27}, Values{1, 3, 9}, 0.05).value();
  EXPECT_EQ(result.p, 0.25);
  EXPECT_DOUBLE_EQ(result.ratio, 3.0);
}

TEST(PairedRatio, SurvivesQuotientsOutsideTheNormalRange) {
  EXPECT_NEAR(std::log(paired_ratio(Values{1e300}, Values{1e-5}, 0.05)->ratio),
              std::log(1e300) + std::log(1e5), 1e-9);
  EXPECT_TRUE(paired_ratio(Values{1e300}, Values{1e-300}, 0.05));
}

TEST(PairedRatio, AssertsItsContract) {
  EXPECT_THROW(static_cast<void>(paired_ratio(Values{1.0}, Values{}, 0.05)), base::Bug);
  EXPECT_THROW(static_cast<void>(paired_ratio(Values{0.0}, Values{1.0}, 0.05)), base::Bug);
  EXPECT_THROW(static_cast<void>(paired_ratio(Values{1.0}, Values{-1.0}, 0.05)), base::Bug);
  EXPECT_THROW(
      static_cast<void>(paired_ratio(Values{1.0}, Values{std::numeric_limits<double>::infinity()}, 0.05)),
      base::Bug);
}

}  // namespace
}  // namespace dlbench::stats
