// A/A: frameworks that do not differ, seen through the whole analysis, with fixed seeds.
#include <gtest/gtest.h>

#include <cmath>

#include "base/philox.hpp"
#include "literal_runs.hpp"

namespace dlbench::analysis {
namespace {

using testing::Literal;

int count_alarms(int studies, const std::vector<std::string>& frameworks, double true_ratio, double noise) {
  int alarms = 0;
  std::uint64_t next = 0;
  const base::Random random(17, base::Stream::verification);
  for (int study_number = 0; study_number < studies; ++study_number) {
    Literal study;
    study.add_case("base");
    for (const std::string& name : frameworks) {
      study.add_case(name);
      study.compare(name);
    }
    for (int block = 0; block < 7; ++block) {
      const double machine = std::exp(0.2 * random.normal(next++));
      study.add_run("base", block, 1000.0 * machine * std::exp(noise * random.normal(next++)));
      for (const std::string& name : frameworks) {
        study.add_run(name, block, 1000.0 * true_ratio * machine * std::exp(noise * random.normal(next++)));
      }
    }
    bool any = false;
    for (const CaseSummary& row : study.analyse().cases) {
      any = any || row.verdict.word == Word::faster || row.verdict.word == Word::slower;
    }
    alarms += any ? 1 : 0;
  }
  return alarms;
}

// One pair, n = 7: attainable size 2 · 3/128 = 0.0469, so 2000 studies raise 94 ± 9.5 alarms; the 99.9 %
// quantile of the binomial distribution is 124, the 0.1 % quantile 66.
TEST(FalseAlarms, OfOnePairComeAtTheAttainableSize) {
  const int alarms = count_alarms(2000, {"x"}, 1.0, 0.05);
  EXPECT_LE(alarms, 124);
  EXPECT_GE(alarms, 66);
}

// Two pairs with a common base: the chance of any alarm stays below alpha = 0.05 (2000 studies: at most 131
// at 99.9 %).
TEST(FalseAlarms, OfAFamilyStayBelowAlpha) {
  EXPECT_LE(count_alarms(2000, {"x", "y"}, 1.0, 0.05), 131);
}

// The same machinery must see what is there: 10 % at 1 % noise is found in every one of 200 studies.
TEST(FalseAlarms, AreNotBoughtWithBlindness) {
  EXPECT_EQ(count_alarms(200, {"x"}, 1.1, 0.01), 200);
}

// Nothing within the margin is ever called faster or slower when the noise is small.
TEST(FalseAlarms, AreAbsentInsideTheMargin) {
  EXPECT_EQ(count_alarms(200, {"x"}, 1.0, 0.002), 0);
}

}  // namespace
}  // namespace dlbench::analysis
