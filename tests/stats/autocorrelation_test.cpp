#include <gtest/gtest.h>

#include "base/philox.hpp"
#include "stats/stats.hpp"

namespace dlbench::stats {
namespace {

using Values = std::vector<double>;

TEST(Autocorrelation, IsUndefinedWithoutVariation) {
  EXPECT_EQ(autocorrelation(Values{}), std::nullopt);
  EXPECT_EQ(autocorrelation(Values{1.0}), std::nullopt);
  EXPECT_EQ(autocorrelation(Values{2.0, 2.0, 2.0}), std::nullopt);
}

// 1 2 3 4 5: deviations -2 -1 0 1 2, products 2 0 0 2 = 4, squares 10. Alternating ±1, n = 4: -3 / 4.
TEST(Autocorrelation, HasKnownAnswers) {
  EXPECT_DOUBLE_EQ(autocorrelation(Values{1, 2, 3, 4, 5}).value(), 0.4);
  EXPECT_DOUBLE_EQ(autocorrelation(Values{1, -1, 1, -1}).value(), -0.75);
  EXPECT_DOUBLE_EQ(autocorrelation(Values{0.0, 1.0}).value(), -0.5);
}

TEST(EffectiveCount, IsBoundedByOneAndN) {
  EXPECT_EQ(effective_count(Values{}), 0.0);
  EXPECT_EQ(effective_count(Values{1.0}), 1.0);
  EXPECT_EQ(effective_count(Values{2.0, 2.0, 2.0}), 3.0);
  EXPECT_EQ(effective_count(Values{1, -1, 1, -1}), 4.0);
  EXPECT_DOUBLE_EQ(effective_count(Values{1, 2, 3, 4, 5}), 5.0 * 0.6 / 1.4);
  Values ramp;
  for (int i = 0; i < 1000; ++i) {
    ramp.push_back(i);
  }
  EXPECT_EQ(effective_count(ramp), 1000.0 * (1.0 - *autocorrelation(ramp)) / (1.0 + *autocorrelation(ramp)));
  EXPECT_LT(effective_count(ramp), 3.0);
}

// An autoregressive series x_t = 0.5 x_{t-1} + noise has correlation 0.5 and a third of its length in effect.
TEST(EffectiveCount, EstimatesAnAutoregressiveSeries) {
  const base::Random random(1, base::Stream::verification);
  Values values{0.0};
  for (std::uint64_t i = 1; i < 20000; ++i) {
    values.push_back(0.5 * values.back() + random.normal(i));
  }
  EXPECT_NEAR(autocorrelation(values).value(), 0.5, 0.02);  // standard error sqrt(0.75 / 20000) = 0.006
  EXPECT_NEAR(effective_count(values) / 20000.0, 1.0 / 3.0, 0.02);
}

}  // namespace
}  // namespace dlbench::stats
