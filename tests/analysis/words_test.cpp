// Each word, reached by numbers whose statistics can be checked by hand.
//
// n = 7: the exact test's smallest p is 2/128 = 0.0156; with one comparison it rejects at 0.05 when the
// smaller rank sum is at most 2. The 90 % interval lies between the 4th smallest and the 4th largest of 28
// averages (2 · 5/128 = 0.078).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "literal_runs.hpp"

namespace dlbench::analysis {
namespace {

using testing::base_times;
using ::testing::HasSubstr;
using testing::Literal;
using testing::times;

Verdict verdict_for(const std::vector<double>& ratios, std::size_t blocks = 7, double margin = 0.02) {
  Literal study(static_cast<int>(blocks));
  study.family.margin_ratio = margin;
  const std::vector<double> base(base_times.begin(),
                                 base_times.begin() + static_cast<std::ptrdiff_t>(blocks));
  study.add_case_with_runs("base", base);
  study.add_case_with_runs("x", times(base, ratios));
  study.compare("x");
  return study.row("x").verdict;
}

TEST(Words, Faster) {
  const Verdict verdict = verdict_for({0.90, 0.91, 0.89, 0.92, 0.905, 0.895, 0.90});
  EXPECT_EQ(verdict.word, Word::faster);
  EXPECT_EQ(verdict.text, "faster");
  ASSERT_TRUE(verdict.ratio);
  EXPECT_EQ(verdict.ratio->n, 7);
  EXPECT_NEAR(verdict.ratio->ratio, 0.901, 0.002);
  EXPECT_EQ(verdict.holm_p, 2.0 / 128.0);
}

TEST(Words, Slower) {
  const Verdict verdict = verdict_for({1.10, 1.11, 1.09, 1.12, 1.105, 1.095, 1.10});
  EXPECT_EQ(verdict.word, Word::slower);
  EXPECT_EQ(verdict.text, "slower");
}

TEST(Words, SameWithinTheMargin) {
  const Verdict verdict = verdict_for({1.001, 0.999, 1.003, 0.997, 1.002, 0.998, 1.0005});
  EXPECT_EQ(verdict.word, Word::same_within_margin);
  EXPECT_EQ(verdict.text, "same within 2 %");
}

// Seven of seven faster by 1 %: significant, but within the margin, which has precedence.
TEST(Words, FasterByLessThanTheMargin) {
  const Verdict verdict = verdict_for({0.990, 0.991, 0.989, 0.992, 0.9905, 0.9895, 0.9902});
  EXPECT_EQ(verdict.word, Word::same_within_margin);
  EXPECT_EQ(verdict.text, "faster by less than 2 %");
  EXPECT_LE(verdict.holm_p, 0.05);
}

TEST(Words, SlowerByLessThanTheMargin) {
  const Verdict verdict = verdict_for({1.010, 1.011, 1.009, 1.012, 1.0105, 1.0095, 1.0102}, 7, 0.015);
  EXPECT_EQ(verdict.word, Word::same_within_margin);
  EXPECT_EQ(verdict.text, "slower by less than 1.5 %");
}

// The margin is symmetric on ratios: 1/1.02 = 0.98039. A constant ratio of 0.9803 is outside, 0.9805 inside.
TEST(Words, TheMarginEndsAtItsInverse) {
  EXPECT_EQ(verdict_for({0.9803}).word, Word::faster);
  EXPECT_EQ(verdict_for({0.9805}).word, Word::same_within_margin);
  EXPECT_EQ(verdict_for({1.0199}).word, Word::same_within_margin);
  EXPECT_EQ(verdict_for({1.0201}).word, Word::slower);
}

TEST(Words, NoDifferenceShown) {
  const Verdict verdict = verdict_for({1.10, 0.90, 1.07, 0.92, 1.04, 0.95, 1.01});
  EXPECT_EQ(verdict.word, Word::no_difference_shown);
  EXPECT_EQ(verdict.text, "no difference shown");
}

// Rank sum of the opposite sign: 2 of 28 rejects (p = 6/128), 3 does not (10/128).
TEST(Words, RejectsExactlyAtTheCriticalValue) {
  EXPECT_EQ(verdict_for({0.80, 1.035, 0.97, 0.85, 0.75, 0.70, 0.90}).word, Word::faster);
  EXPECT_EQ(verdict_for({0.80, 1.05, 0.97, 0.96, 0.75, 0.70, 0.90}).word, Word::no_difference_shown);
}

TEST(Words, CannotBeShownPrintsTheRunsNeeded) {
  const Verdict verdict = verdict_for({0.5, 0.6, 0.7, 0.8, 0.75}, 5);
  EXPECT_EQ(verdict.word, Word::cannot_be_shown);
  EXPECT_EQ(verdict.text, "cannot be shown with 5 runs (6 needed)");
  EXPECT_EQ(verdict_for({0.5}, 1).text, "cannot be shown with 1 run (6 needed)");
}

// Five pairs have a 90 % interval (2 · 2⁻⁵ = 0.0625), so equality can be shown where a difference cannot.
TEST(Words, SameWithinTheMarginComesBeforeCannotBeShown) {
  EXPECT_EQ(verdict_for({1.001, 0.999, 1.003, 0.997, 1.002}, 5).word, Word::same_within_margin);
}

TEST(Words, FollowTheDirectionOfTheMetric) {
  Literal study;
  study.add_case_with_runs("base", base_times);
  study.add_case_with_runs("x", times(base_times, {1.2}));
  for (record::Run& run : study.runs) {
    run.metrics[0].id = "samples_per_s";
  }
  study.family.metric = "samples_per_s";
  study.compare("x");
  EXPECT_EQ(study.row("x").verdict.text, "faster");
}

// p = 2/128 and 6/128; Holm multiplies the smaller by 2 and the larger by 1: 0.031 and 0.047, both shown.
// Alone in Bonferroni's place, 0.094 would not be.
TEST(Words, HolmOverTwoPairs) {
  Literal study;
  study.add_case_with_runs("base", base_times);
  study.add_case_with_runs("x", times(base_times, {0.80, 1.035, 0.97, 0.85, 0.75, 0.70, 0.90}));
  study.add_case_with_runs("y", times(base_times, {1.10, 1.11, 1.09, 1.12, 1.105, 1.095, 1.10}));
  study.compare("x");
  study.compare("y");
  EXPECT_EQ(study.row("x").verdict.holm_p, 6.0 / 128.0);
  EXPECT_EQ(study.row("x").verdict.word, Word::faster);
  EXPECT_EQ(study.row("y").verdict.holm_p, 4.0 / 128.0);
  EXPECT_EQ(study.row("y").verdict.word, Word::slower);
}

TEST(Words, HolmCanTakeAVerdictAway) {
  Literal study;
  study.add_case_with_runs("base", base_times);
  study.add_case_with_runs("x", times(base_times, {0.80, 1.035, 0.97, 0.85, 0.75, 0.70, 0.90}));
  study.add_case_with_runs("y", times(base_times, {1.10, 0.90, 1.07, 0.92, 1.04, 0.95, 1.01}));
  study.compare("x");
  study.compare("y");
  // 2 · 6/128 = 0.094
  EXPECT_EQ(study.row("x").verdict.holm_p, 12.0 / 128.0);
  EXPECT_EQ(study.row("x").verdict.word, Word::no_difference_shown);
}

// A pair without data still counts: the family was fixed before anything was known.
TEST(Words, AMissingPairStaysInTheFamily) {
  Literal study;
  study.add_case_with_runs("base", base_times);
  study.add_case_with_runs("x", times(base_times, {0.80, 1.035, 0.97, 0.85, 0.75, 0.70, 0.90}));
  study.add_case("y");
  study.add_failure("y", 0, record::OutcomeKind::not_installed);
  study.compare("x");
  study.compare("y");
  EXPECT_EQ(study.row("x").verdict.holm_p, 12.0 / 128.0);
  EXPECT_EQ(study.row("y").verdict.word, Word::no_verdict);
  EXPECT_EQ(study.row("y").verdict.text, "not ranked: NOT_INSTALLED");
}

// A block that was slow for all, by half, changes nothing: runs are compared inside their block.
TEST(Words, PairsByBlock) {
  Literal study;
  const std::vector<double> machine{1000, 1500, 700, 3000, 1000, 900, 1200};
  study.add_case_with_runs("base", machine);
  study.add_case("x");
  for (int block = 6; block >= 0; --block) {
    study.add_run("x", block, 0.9 * machine[static_cast<std::size_t>(block)]);
  }
  study.compare("x");
  EXPECT_EQ(study.row("x").verdict.word, Word::faster);
  EXPECT_NEAR(study.row("x").verdict.ratio->interval->high, 0.9, 1e-12);
}

}  // namespace
}  // namespace dlbench::analysis
