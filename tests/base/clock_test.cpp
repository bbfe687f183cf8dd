#include "base/clock.hpp"

#include <gmock/gmock.h>

namespace dlbench::base {
namespace {

TEST(Clock, NeverRunsBackwards) {
  std::int64_t last = monotonic_ns();
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t now = monotonic_ns();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(Clock, HasAResolution) {
  EXPECT_GT(clock_resolution_ns(), 0);
}

TEST(Clock, UtcIsIso8601) {
  EXPECT_THAT(utc_now(),
              ::testing::MatchesRegex("20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z"));
}

}  // namespace
}  // namespace dlbench::base
