#include "report/format.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace dlbench::report {
namespace {

TEST(Format, FixedAndNumber) {
  EXPECT_EQ(fixed(1.25, 1), "1.2");
  EXPECT_EQ(fixed(NAN, 2), no_value);
  EXPECT_EQ(number(0.0), "0");
  EXPECT_EQ(number(16.84321), "16.84");
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(183000.0), "183000");
  EXPECT_EQ(number(2.5e-7), "2.50e-07");
  EXPECT_EQ(number(-INFINITY), no_value);
}

TEST(Format, DecimalsGiveSignificantDigits) {
  EXPECT_EQ(decimals_for(16.84, 4), 2);
  EXPECT_EQ(decimals_for(8.8, 4), 3);
  EXPECT_EQ(decimals_for(1234.0, 4), 0);
  EXPECT_EQ(decimals_for(123456.0, 4), 0);
  EXPECT_EQ(decimals_for(0.0, 4), 0);
  EXPECT_EQ(decimals_for(1e-30, 4), 12);
}

TEST(Format, RatioShowsAsManyDigitsAsItsIntervalIsNarrow) {
  EXPECT_EQ(ratio_decimals(std::nullopt), 2);
  EXPECT_EQ(ratio_decimals(stats::Interval{1.49, 1.55, 0.98}), 2);
  EXPECT_EQ(ratio_decimals(stats::Interval{0.999, 1.007, 0.98}), 3);
  EXPECT_EQ(ratio_decimals(stats::Interval{1.0001, 1.0005, 0.98}), 4);
  stats::PairedRatio ratio;
  ratio.ratio = 1.52;
  EXPECT_EQ(ratio_with_interval(ratio), "1.52 × the step time");
  ratio.interval = stats::Interval{1.49, 1.55, 0.98};
  EXPECT_EQ(ratio_with_interval(ratio), "1.52 × the step time [1.49, 1.55]");
}

TEST(Format, UnitsAreScaledForReading) {
  EXPECT_EQ(percent(0.8862, 2), "88.62 %");
  EXPECT_EQ(mebibytes(1048576.0), "1.0");
  EXPECT_EQ(scaled_value(16.84e6, "ns") + scaled_unit("ns"), "16.84ms");
  EXPECT_EQ(scaled_value(209715200.0, "bytes") + scaled_unit("bytes"), "200MiB");
  EXPECT_EQ(quantity(310.0, "ns"), "310 ns");
  EXPECT_EQ(quantity(1500.0, "ns"), "1.5 µs");
  EXPECT_EQ(quantity(2.5e6, "ns"), "2.5 ms");
  EXPECT_EQ(quantity(1.5e9, "ns"), "1.5 s");
  EXPECT_EQ(quantity(0.001, "ratio"), "0.1 %");
  EXPECT_EQ(quantity(NAN, "ns"), no_value);
}

}  // namespace
}  // namespace dlbench::report
