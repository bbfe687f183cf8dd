#include "model/rate_policy.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"

namespace dlbench::model {
namespace {

TEST(RatePolicy, FixedAndStep) {
  EXPECT_EQ(rate_at({.policy = "fixed", .base = 0.05}, 1'000'000), 0.05);
  const RatePolicy step{.policy = "step", .base = 0.5, .gamma = 0.25, .every_steps = 3};
  EXPECT_EQ(rate_at(step, 0), 0.5);
  EXPECT_EQ(rate_at(step, 2), 0.5);
  EXPECT_EQ(rate_at(step, 3), 0.125);
  EXPECT_EQ(rate_at(step, 8), 0.03125);
  EXPECT_THROW((void)rate_at(step, -1), base::Bug);
  EXPECT_THROW((void)rate_at({.policy = "cosine"}, 0), base::Bug);
}

// A drop counts from its own step on: 1, then 1/2 from 2, 1/4 from 5.
TEST(RatePolicy, MultistepDropsAtTheListedSteps) {
  const RatePolicy policy{.policy = "multistep", .base = 1.0, .gamma = 0.5, .at_steps = {2, 5}};
  const double expected[] = {1.0, 1.0, 0.5, 0.5, 0.5, 0.25, 0.25};
  for (std::int64_t step = 0; step < 7; ++step) {
    EXPECT_EQ(rate_at(policy, step), expected[step]) << step;
  }
}

// exp: 2 · (1/2)^3 = 1/4. inv: (1 + 1/2 · 6)^-2 = 4^-2 = 1/16, LeNet's (1 + 1e-4 · 10000)^-0.75 = 2^-0.75.
// poly: 2 · (1 - 6/8)^2 = 1/8, and nothing is left at the end.
TEST(RatePolicy, SmoothDecays) {
  EXPECT_EQ(rate_at({.policy = "exp", .base = 2.0, .gamma = 0.5}, 3), 0.25);
  const RatePolicy inv{.policy = "inv", .base = 1.0, .gamma = 0.5, .power = 2.0};
  EXPECT_EQ(rate_at(inv, 0), 1.0);
  EXPECT_DOUBLE_EQ(rate_at(inv, 6), 1.0 / 16);
  const RatePolicy caffe{.policy = "inv", .base = 0.01, .gamma = 1e-4, .power = 0.75};
  EXPECT_DOUBLE_EQ(rate_at(caffe, 10'000), 0.01 * std::pow(2.0, -0.75));
  const RatePolicy poly{.policy = "poly", .base = 2.0, .power = 2.0, .end_step = 8};
  EXPECT_EQ(rate_at(poly, 0), 2.0);
  EXPECT_EQ(rate_at(poly, 6), 0.125);
  EXPECT_EQ(rate_at(poly, 8), 0.0);
  EXPECT_EQ(rate_at(poly, 9), 0.0);
}

RatePolicy cyclic(const char* name) {
  return {.policy = name, .base = 1.0, .gamma = 0.5, .peak = 3.0, .half_cycle_steps = 4};
}

// From 1 to 3 in four steps and back: 1, 1.5, 2, 2.5, 3, 2.5, … The exponential one halves the height above
// 1 at each step: at step 2 it is 1 + 2 · (2/4) · (1/4) = 1.25, at step 4 1 + 2/16.
TEST(RatePolicy, Triangles) {
  const double expected[] = {1.0, 1.5, 2.0, 2.5, 3.0, 2.5, 2.0, 1.5, 1.0, 1.5};
  for (std::int64_t step = 0; step < 10; ++step) {
    EXPECT_EQ(rate_at(cyclic("tri"), step), expected[step]) << step;
    const double sine = std::sin(std::acos(-1.0) * static_cast<double>(step) / 8.0);
    EXPECT_NEAR(rate_at(cyclic("tri"), step), 1.0 + 2.0 * std::abs(std::asin(sine)) / std::acos(0.0), 1e-14);
  }
  EXPECT_EQ(rate_at(cyclic("triexp"), 0), 1.0);
  EXPECT_EQ(rate_at(cyclic("triexp"), 2), 1.25);
  EXPECT_EQ(rate_at(cyclic("triexp"), 4), 1.125);
}

// sin: 1 + 2 sin(pi/4) = 1 + sqrt 2 at step 2, 3 at step 4, the same again on the other side. cos starts at
// the peak: 3, at step 2 the middle, at step 4 the base.
TEST(RatePolicy, SineAndCosine) {
  EXPECT_EQ(rate_at(cyclic("sin"), 0), 1.0);
  EXPECT_DOUBLE_EQ(rate_at(cyclic("sin"), 2), 1.0 + std::sqrt(2.0));
  EXPECT_EQ(rate_at(cyclic("sin"), 4), 3.0);
  EXPECT_DOUBLE_EQ(rate_at(cyclic("sin"), 6), 1.0 + std::sqrt(2.0));
  EXPECT_EQ(rate_at(cyclic("sin"), 8), 1.0);
  EXPECT_EQ(rate_at(cyclic("cos"), 0), 3.0);
  EXPECT_DOUBLE_EQ(rate_at(cyclic("cos"), 2), 2.0);
  EXPECT_DOUBLE_EQ(rate_at(cyclic("cos"), 4), 1.0);
  EXPECT_EQ(rate_at(cyclic("cos"), 8), 3.0);
}

TEST(RatePolicy, UnknownNamesSuggestTheNearest) {
  try {
    (void)rate_policy("multi_step");
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_NE(error.hint().find("'multistep'"), std::string::npos) << error.hint();
  }
}

TEST(RatePolicy, ValuesWithoutMeaningAreRefused) {
  const auto refused = [](RatePolicy policy) {
    Recipe recipe;
    recipe.rate = std::move(policy);
    EXPECT_THROW(validate(recipe), base::UserError) << recipe.rate.policy;
  };
  refused({.policy = "multistep", .base = 1.0, .gamma = 0.5});
  refused({.policy = "multistep", .base = 1.0, .gamma = 0.5, .at_steps = {0}});
  refused({.policy = "multistep", .base = 1.0, .gamma = 0.5, .at_steps = {5, 5}});
  refused({.policy = "exp", .base = 1.0, .gamma = 1.1});
  refused({.policy = "inv", .base = 1.0, .gamma = -1e-4, .power = 1.0});
  refused({.policy = "inv", .base = 1.0, .gamma = 1e-4, .power = -1.0});
  refused({.policy = "poly", .base = 1.0, .power = 1.0, .end_step = 0});
  refused({.policy = "tri", .base = 1.0, .peak = 0.5, .half_cycle_steps = 4});
  refused({.policy = "cos", .base = 1.0, .peak = 2.0, .half_cycle_steps = 0});
}

// Each formula is written down, and every policy has the base rate that the windows are run at.
TEST(RatePolicy, EachHasAFormulaAndABase) {
  for (const RatePolicySpec& spec : rate_policies()) {
    EXPECT_NE(spec.definition.find("base"), std::string::npos) << spec.name;
    EXPECT_TRUE(has_setting(spec.settings, "base")) << spec.name;
  }
}

}  // namespace
}  // namespace dlbench::model
