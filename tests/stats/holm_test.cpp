#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "stats/stats.hpp"

namespace dlbench::stats {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using Values = std::vector<double>;

TEST(Holm, OfNoneAndOne) {
  EXPECT_TRUE(holm(Values{}).empty());
  EXPECT_THAT(holm(Values{0.04}), ElementsAre(0.04));
}

// R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") = 0.03 0.06 0.06 0.02. By hand: 0.005·4, 0.01·3, 0.03·2,
// then 0.04·1 = 0.04 is raised to 0.06.
TEST(Holm, StepsDownInTheOrderOfTheInput) {
  EXPECT_THAT(holm(Values{0.01, 0.04, 0.03, 0.005}),
              ElementsAre(DoubleEq(0.03), DoubleEq(0.06), DoubleEq(0.06), DoubleEq(0.02)));
}

TEST(Holm, CapsAtOneAndKeepsTiesEqual) {
  EXPECT_THAT(holm(Values{0.6, 0.7}), ElementsAre(1.0, 1.0));
  EXPECT_THAT(holm(Values{0.01, 0.01, 1.0}), ElementsAre(DoubleEq(0.03), DoubleEq(0.03), 1.0));
}

TEST(Holm, RefusesWhatIsNoProbability) {
  EXPECT_THROW(static_cast<void>(holm(Values{1.5})), base::Bug);
  EXPECT_THROW(static_cast<void>(holm(Values{-0.1})), base::Bug);
}

}  // namespace
}  // namespace dlbench::stats
