#include "host/warm_up.hpp"

#include <gtest/gtest.h>

namespace dlbench::host {
namespace {

const WarmUpRule rule = {50, 2.0, 2000, 60.0};

TEST(WarmUp, NothingMeasuredIsCold) {
  EXPECT_EQ(warm_up_state(rule, {}, 0, 0.0, false), WarmUpState::cold);
}

TEST(WarmUp, BothFloorsMustBeMet) {
  const std::vector<double> steady = {1e6, 1e6, 1e6};
  EXPECT_EQ(warm_up_state(rule, steady, 49, 3.0, false), WarmUpState::cold);
  EXPECT_EQ(warm_up_state(rule, steady, 60, 1.9, false), WarmUpState::cold);
  EXPECT_EQ(warm_up_state(rule, steady, 60, 2.0, false), WarmUpState::warm);
}

TEST(WarmUp, TwoChunksAreNotEnough) {
  EXPECT_EQ(warm_up_state(rule, {1e6, 1e6}, 100, 5.0, false), WarmUpState::cold);
}

// Median 1000, deviations {0, 5, 10}: MAD 5, allowed max(10, 15) = 15.
TEST(WarmUp, OnlyTheLastThreeChunksCount) {
  EXPECT_EQ(warm_up_state(rule, {9000, 1000, 1005, 990}, 100, 5.0, false), WarmUpState::warm);
}

// Median 1000, deviations {0, 1, 40}: MAD 1, allowed max(10, 3) = 10 < 40.
TEST(WarmUp, AStillFallingTimeIsCold) {
  EXPECT_EQ(warm_up_state(rule, {1040, 1000, 999}, 100, 5.0, false), WarmUpState::cold);
}

TEST(WarmUp, TheCapsMakeItUnsteady) {
  const std::vector<double> restless = {1000, 1200, 1001};
  EXPECT_EQ(warm_up_state(rule, restless, 2000, 5.0, false), WarmUpState::unsteady);
  EXPECT_EQ(warm_up_state(rule, restless, 100, 60.0, false), WarmUpState::unsteady);
  EXPECT_EQ(warm_up_state(rule, restless, 15, 70.0, true), WarmUpState::cold) << "never under 20 steps";
}

TEST(WarmUp, SlowStepsNeedFewer) {
  EXPECT_EQ(warm_up_chunk_steps(slow_step_ns), 20);
  EXPECT_EQ(warm_up_chunk_steps(slow_step_ns + 1), 5);
  EXPECT_EQ(warm_up_state(rule, {3e8, 3e8, 3e8}, 15, 1.0, true), WarmUpState::warm);
}

}  // namespace
}  // namespace dlbench::host
