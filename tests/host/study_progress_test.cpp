#include "host/study_progress.hpp"

#include <gtest/gtest.h>

namespace dlbench::host {
namespace {

record::Run run(const std::string& case_id, int block, int attempt,
                record::OutcomeKind kind = record::OutcomeKind::ok, const std::string& reason = {}) {
  record::Run row;
  row.case_id = case_id;
  row.block = block;
  row.attempt = attempt;
  row.outcome = {kind, reason};
  row.phases = {{"start", 1, 2}};
  return row;
}

TEST(StudyProgress, NothingStoredNothingDone) {
  const StudyProgress progress({}, {});
  EXPECT_EQ(progress.attempt(0), 0);
  EXPECT_FALSE(progress.has("a", 0, 0));
  EXPECT_EQ(progress.repeated_blocks(), 0);
  EXPECT_FALSE(progress.warm_up_steps("a"));
}

TEST(StudyProgress, AFailedRunIsDoneToo) {
  const StudyProgress progress({run("a", 2, 0, record::OutcomeKind::crash, "signal 11")}, {});
  EXPECT_TRUE(progress.has("a", 2, 0));
  EXPECT_FALSE(progress.has("a", 1, 0));
  EXPECT_FALSE(progress.has("b", 2, 0));
}

// The limits of the tests: 2 % steal, 3 % foreign.
constexpr study::DisturbanceLimits limits = {0.02, 0.03};

record::Run disturbed_run(int block, double steal_ratio, double foreign_ratio,
                          record::OutcomeKind kind = record::OutcomeKind::invalid) {
  record::Run row = run("a", block, 0, kind, "for a reason");
  row.metrics = {{"steal_ratio", steal_ratio}, {"foreign_ratio", foreign_ratio}};
  return row;
}

TEST(StudyProgress, OnlyOutsideCausesRepeatABlock) {
  EXPECT_TRUE(was_disturbed(disturbed_run(0, 0.05, 0.0), limits));
  EXPECT_TRUE(was_disturbed(disturbed_run(0, 0.0, 0.09), limits));
  // INVALID for a cause of its own, other threads than asked for say: the next attempt would be no better.
  EXPECT_FALSE(was_disturbed(disturbed_run(0, 0.02, 0.03), limits));
  EXPECT_FALSE(was_disturbed(run("a", 0, 0, record::OutcomeKind::invalid, "steal: x"), limits));
  EXPECT_FALSE(was_disturbed(disturbed_run(0, 0.05, 0.09, record::OutcomeKind::crash), limits));
  // A convergence run records what disturbed it and stays OK.
  EXPECT_FALSE(was_disturbed(disturbed_run(0, 0.05, 0.09, record::OutcomeKind::ok), limits));
}

// Block 1 was disturbed in attempt 0 and is under way in attempt 1: a resumed study goes on there.
TEST(StudyProgress, ResumesInsideARepeatedBlock) {
  const StudyProgress progress({run("a", 0, 0), disturbed_run(1, 0.05, 0.0), run("b", 1, 0), run("b", 1, 1)},
                               limits);
  EXPECT_EQ(progress.attempt(0), 0);
  EXPECT_EQ(progress.attempt(1), 1);
  EXPECT_TRUE(progress.disturbed(1, 0));
  EXPECT_FALSE(progress.disturbed(1, 1));
  EXPECT_TRUE(progress.has("b", 1, 1));
  EXPECT_FALSE(progress.has("a", 1, 1));
  EXPECT_EQ(progress.repeated_blocks(), 1);
}

TEST(StudyProgress, TheFirstWarmUpCountHolds) {
  record::Run first = run("a", 0, 0);
  first.metrics = {{"warm_up_steps", 80.0}};
  record::Run second = run("a", 1, 0);
  second.metrics = {{"warm_up_steps", 120.0}};
  EXPECT_EQ(StudyProgress({first, second}, {}).warm_up_steps("a"), 80);
}

}  // namespace
}  // namespace dlbench::host
