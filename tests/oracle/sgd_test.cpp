#include "oracle/sgd.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "oracle/support.hpp"

namespace dlbench::oracle {
namespace {

using model::SgdForm;

// Two parameters (1, -2); gradients (1, 2) then (2, -4); rates 1/2 then 1/4; all numbers exact in binary.
std::vector<double> after_two_steps(const SgdSettings& settings) {
  Sgd<double> sgd(settings);
  std::vector<double> w = {1, -2};
  sgd.update(w, {1, 2}, 0.5);
  sgd.update(w, {2, -4}, 0.25);
  return w;
}

// w = (1 - 1/2·1 - 1/4·2, -2 - 1/2·2 + 1/4·4)
TEST(SgdTest, PlainDescent) {
  EXPECT_EQ(after_two_steps({SgdForm::rate_outside, 0, 0, 0}), (std::vector<double>{0, -2}));
  EXPECT_EQ(after_two_steps({SgdForm::rate_inside, 0, 0, 0}), (std::vector<double>{0, -2}));
}

// Momentum 1/2. Outside: v = (1, 2), w = (1/2, -3); v = (1/2 + 2, 1 - 4) = (5/2, -3), w = (1/2 - 5/8, -3 +
// 3/4).
TEST(SgdTest, MomentumWithTheRateOutside) {
  EXPECT_EQ(after_two_steps({SgdForm::rate_outside, 0.5, 0, 0}), (std::vector<double>{-0.125, -2.25}));
}

// Inside: v = (1/2, 1), w = (1/2, -3); v = (1/4 + 1/2, 1/2 - 1) = (3/4, -1/2), w = (-1/4, -5/2).
TEST(SgdTest, MomentumWithTheRateInside) {
  EXPECT_EQ(after_two_steps({SgdForm::rate_inside, 0.5, 0, 0}), (std::vector<double>{-0.25, -2.5}));
}

// At a constant rate both forms are one.
TEST(SgdTest, FormsAgreeAtAConstantRate) {
  Sgd<double> outside({SgdForm::rate_outside, 0.75, 0.125, 0});
  Sgd<double> inside({SgdForm::rate_inside, 0.75, 0.125, 0});
  std::vector<double> a = {1, -2};
  std::vector<double> b = a;
  for (int i = 0; i < 5; ++i) {
    const std::vector<double> gradient = {1.0 + i, 2.0 - i};
    outside.update(a, gradient, 0.25);
    inside.update(b, gradient, 0.25);
  }
  EXPECT_NEAR(a[0], b[0], 1e-14);
  EXPECT_NEAR(a[1], b[1], 1e-14);
}

// Decay 1/2, no momentum: step 1: g = (1 + 1/2, 2 - 1) = (3/2, 1), w = (1/4, -5/2);
// step 2: g = (2 + 1/8, -4 - 5/4) = (17/8, -21/4), w = (1/4 - 17/32, -5/2 + 21/16).
TEST(SgdTest, DecayAddsToTheGradient) {
  EXPECT_EQ(after_two_steps({SgdForm::rate_outside, 0, 0.5, 0}),
            (std::vector<double>{-9.0 / 32, -19.0 / 16}));
}

// Dampening 1/2, momentum 1/2, from the second step: v = (1, 2); v = (1/2 + 1, 1 - 2) = (3/2, -1);
// w = (1/2 - 3/8, -3 + 1/4).
TEST(SgdTest, DampeningSparesTheFirstStep) {
  EXPECT_EQ(after_two_steps({SgdForm::rate_outside, 0.5, 0, 0.5}), (std::vector<double>{0.125, -2.75}));
}

TEST(SgdTest, FloatStateStaysFloat) {
  Sgd<float> sgd({SgdForm::rate_outside, 0, 0, 0});
  std::vector<float> w = {1.0F};
  // 1 - 2^-26 rounds back to 1 in float.
  sgd.update(w, {0x1.0p-26F}, 1.0);
  EXPECT_EQ(w[0], 1.0F);
}

TEST(SgdTest, SettingsFollowTheRecipeAndTheArithmetic) {
  const model::Graph graph =
      model::Builder("g", {2}).add("score", "dense", {{"out_features", model::count(2)}}).finish();
  model::Recipe recipe;
  recipe.optimizer = {"sgd", SgdForm::rate_outside, 0.9, 0.01, false};
  std::vector<SgdSettings> settings = sgd_settings(graph, recipe, {});
  ASSERT_EQ(settings.size(), 2U);
  EXPECT_EQ(settings[0].decay, 0.01);
  EXPECT_EQ(settings[1].decay, 0.0) << "the bias does not decay";
  EXPECT_EQ(settings[1].momentum, 0.9);
  EXPECT_EQ(settings[0].form, SgdForm::rate_outside);

  recipe.optimizer.decay_bias = true;
  Arithmetic arithmetic;
  arithmetic.rate_inside = true;
  arithmetic.dampening = 0.5;
  settings = sgd_settings(graph, recipe, arithmetic);
  EXPECT_EQ(settings[1].decay, 0.01);
  EXPECT_EQ(settings[1].form, SgdForm::rate_inside);
  EXPECT_EQ(settings[0].dampening, 0.5);

  recipe.optimizer.name = "adam";
  EXPECT_THROW((void)sgd_settings(graph, recipe, {}), base::Bug);
}

}  // namespace
}  // namespace dlbench::oracle
