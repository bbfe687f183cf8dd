#include "host/timed_truth.hpp"

#include <gtest/gtest.h>

#include "gate/sample_work.hpp"
#include "model/builder.hpp"

namespace dlbench::host {
namespace {

gate::Expectation timed_steps() {
  const gate::Plan plan =
      gate::make_plan(gate::sample_work(model::Builder("normed", {4})
                                            .add("first", "dense", {{"out_features", model::count(6)}})
                                            .add("norm", "batch_norm")
                                            .add("score", "dense", {{"out_features", model::count(3)}})
                                            .finish(),
                                        6));
  return *gate::timed_expectation(plan);
}

class TimedTruthTest : public ::testing::Test {
 protected:
  static gate::Result trained(const oracle::Arithmetic& formulas) {
    return gate::perform(timed_steps().experiment, oracle::Precision::fp32, formulas);
  }

  static gate::Result biased() {
    oracle::Arithmetic formulas;
    formulas.biased_running_variance = true;
    return trained(formulas);
  }

  TimedTruth truth_{timed_steps()};
};

TEST_F(TimedTruthTest, TheRecipesOwnFormulasAreRightWhateverWasDeclared) {
  EXPECT_FALSE(truth_.first_failing(trained({}), {}, 1.0));
  EXPECT_FALSE(truth_.first_failing(trained({}), {"ema_biased", "assisted"}, 1.0));
}

// The running variance of six rows is a sixth too small: the certificate says so, and each run has it again.
TEST_F(TimedTruthTest, ADeclaredFormulaIsRightInEveryRunThatDeclaresIt) {
  for (int run = 0; run < 2; ++run) {
    const auto undeclared = truth_.first_failing(biased(), {}, 1.0);
    ASSERT_TRUE(undeclared);
    EXPECT_EQ(undeclared->tensor, "norm.variance");
    EXPECT_TRUE(truth_.first_failing(biased(), {"ties_all"}, 1.0));
    EXPECT_FALSE(truth_.first_failing(biased(), {"ema_biased"}, 1.0));
  }
}

TEST_F(TimedTruthTest, WhatNoFormulaExplainsFailsByTheDeclaredOne) {
  gate::Result seen = biased();
  seen.weights.front()[1] += 0.5;
  const auto failing = truth_.first_failing(seen, {"ema_biased"}, 1.0);
  ASSERT_TRUE(failing);
  EXPECT_EQ(failing->tensor, "first.weight");
  EXPECT_GT(failing->error, failing->limit);
}

TEST_F(TimedTruthTest, WiderLimitsAreTheCertificates) {
  const gate::Expectation plain = timed_steps();
  gate::Result seen = plain.truth;
  seen.losses.front() *= 1.0 + 3.0 * plain.loss_limits.front();
  const auto failing = truth_.first_failing(seen, {}, 1.0);
  ASSERT_TRUE(failing);
  EXPECT_DOUBLE_EQ(failing->limit, plain.loss_limits.front());
  EXPECT_FALSE(truth_.first_failing(seen, {}, 4.0));
}

}  // namespace
}  // namespace dlbench::host
