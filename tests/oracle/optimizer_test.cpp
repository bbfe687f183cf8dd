#include "oracle/optimizer.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/optimizer_spec.hpp"
#include "oracle/support.hpp"

namespace dlbench::oracle {
namespace {

using model::EpsilonPlace;
using model::SgdForm;

struct Step {
  double gradient;
  double rate;
};

// One weight that starts at `w`, after each of these steps.
std::vector<double> path(const OptimizerSettings& settings, double w, const std::vector<Step>& steps) {
  const auto optimizer = make_optimizer<double>(settings);
  std::vector<double> weights = {w};
  std::vector<double> seen;
  for (const Step& step : steps) {
    optimizer->update(weights, {step.gradient}, step.rate);
    seen.push_back(weights[0]);
  }
  return seen;
}

OptimizerSettings sgd(SgdForm form, double momentum, double decay, double dampening = 0.0) {
  OptimizerSettings settings{model::default_optimizer("sgd"), dampening};
  settings.values.form = form;
  settings.values.momentum = momentum;
  settings.values.weight_decay = decay;
  return settings;
}

// Weight 1; gradients 1 then 2; rates 1/2 then 1/4; all numbers exact in binary.
const std::vector<Step> two_steps = {{1, 0.5}, {2, 0.25}};

// 1 - 1/2 · 1, then - 1/4 · 2.
TEST(Sgd, PlainDescent) {
  EXPECT_EQ(path(sgd(SgdForm::rate_outside, 0, 0), 1, two_steps), (std::vector<double>{0.5, 0}));
  EXPECT_EQ(path(sgd(SgdForm::rate_inside, 0, 0), 1, two_steps), (std::vector<double>{0.5, 0}));
}

// Momentum 1/2. Outside: v = 1, w = 1/2; v = 1/2 + 2 = 5/2, w = 1/2 - 5/8.
// Inside: v = 1/2, w = 1/2; v = 1/4 + 1/2 = 3/4, w = -1/4.
TEST(Sgd, MomentumInBothForms) {
  EXPECT_EQ(path(sgd(SgdForm::rate_outside, 0.5, 0), 1, two_steps), (std::vector<double>{0.5, -0.125}));
  EXPECT_EQ(path(sgd(SgdForm::rate_inside, 0.5, 0), 1, two_steps), (std::vector<double>{0.5, -0.25}));
}

// Momentum 1/2, looking ahead. Outside: v = 1, moved by 1/2 (1 + 1/2 · 1) = 3/4, w = 1/4; v = 5/2, moved by
// 1/4 (2 + 5/4) = 13/16, w = -9/16. Inside: v = 1/2, moved by 1/2 + 1/4, w = 1/4; v = 1/4 + 1/2 = 3/4, moved
// by 1/2 + 3/8 = 7/8, w = -5/8.
TEST(Sgd, NesterovLooksAhead) {
  OptimizerSettings settings = sgd(SgdForm::rate_outside, 0.5, 0);
  settings.values.nesterov = true;
  EXPECT_EQ(path(settings, 1, two_steps), (std::vector<double>{0.25, -9.0 / 16}));
  settings.values.form = SgdForm::rate_inside;
  EXPECT_EQ(path(settings, 1, two_steps), (std::vector<double>{0.25, -5.0 / 8}));
}

// At a constant rate both forms are one.
TEST(Sgd, FormsAgreeAtAConstantRate) {
  const std::vector<Step> steps = {{1, 0.25}, {2, 0.25}, {-3, 0.25}, {4, 0.25}, {-1, 0.25}};
  const std::vector<double> outside = path(sgd(SgdForm::rate_outside, 0.75, 0.125), 1, steps);
  const std::vector<double> inside = path(sgd(SgdForm::rate_inside, 0.75, 0.125), 1, steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_NEAR(outside[i], inside[i], 1e-14);
  }
}

// Decay 1/2: g = 1 + 1/2, w = 1 - 3/4 = 1/4; g = 2 + 1/8, w = 1/4 - 17/32 = -9/32.
TEST(Sgd, DecayAddsToTheGradient) {
  EXPECT_EQ(path(sgd(SgdForm::rate_outside, 0, 0.5), 1, two_steps), (std::vector<double>{0.25, -9.0 / 32}));
}

// Dampening 1/2, momentum 1/2, from the second step: v = 1; v = 1/2 + 1 = 3/2, w = 1/2 - 3/8.
TEST(Sgd, DampeningSparesTheFirstStep) {
  EXPECT_EQ(path(sgd(SgdForm::rate_outside, 0.5, 0, 0.5), 1, two_steps), (std::vector<double>{0.5, 0.125}));
}

TEST(Sgd, FloatStateStaysFloat) {
  const auto optimizer = make_optimizer<float>(sgd(SgdForm::rate_outside, 0, 0));
  std::vector<float> w = {1.0F};
  // 1 - 2^-26 rounds back to 1 in float.
  optimizer->update(w, {0x1.0p-26F}, 1.0);
  EXPECT_EQ(w[0], 1.0F);
}

// beta1 1/2, beta2 3/4, epsilon 1/2, gradients 2 and -2, rate 1.
// Step 1: m = 1, s = 1/4 · 4 = 1; m^ = 1 / (1/2) = 2, s^ = 1 / (1/4) = 4; moved by 2 / (2 + 1/2) = 4/5.
// Step 2: m = 1/2 - 1 = -1/2, s = 3/4 + 1 = 7/4; m^ = -1/2 / (3/4) = -2/3, s^ = 7/4 / (7/16) = 4; moved by
// -2/3 / (5/2) = -4/15.
OptimizerSettings adam() {
  OptimizerSettings settings{model::default_optimizer("adam")};
  settings.values.beta1 = 0.5;
  settings.values.beta2 = 0.75;
  settings.values.epsilon = 0.5;
  return settings;
}
const std::vector<Step> to_and_fro = {{2, 1}, {-2, 1}};

TEST(Adam, CorrectsBothMeans) {
  const std::vector<double> seen = path(adam(), 1, to_and_fro);
  EXPECT_NEAR(seen[0], 1.0 - 4.0 / 5, 1e-15);
  EXPECT_NEAR(seen[1], 1.0 - 4.0 / 5 + 4.0 / 15, 1e-15);
}

// Epsilon at the uncorrected root: sqrt(1 - beta2) / (1 - beta1) · m / (sqrt(s) + epsilon) = (1/2) / (1/2) ·
// 1 / (1 + 1/2) = 2/3. Without correction: 1 / (1 + 1/2), the same here by chance; at step 2
// -1/2 / (sqrt(7/4) + 1/2).
TEST(Adam, FaultyFormulas) {
  OptimizerSettings settings = adam();
  settings.epsilon_misplaced = true;
  EXPECT_NEAR(path(settings, 1, to_and_fro)[0], 1.0 - 2.0 / 3, 1e-15);
  settings = adam();
  settings.bias_correction_missing = true;
  const std::vector<double> seen = path(settings, 1, to_and_fro);
  EXPECT_NEAR(seen[0], 1.0 - 2.0 / 3, 1e-15);
  EXPECT_NEAR(seen[1] - seen[0], 0.5 / (std::sqrt(1.75) + 0.5), 1e-15);
}

// Decay 1 at w = 2 doubles the gradient 2: g = 4, m = 2, s = 4, m^ = 4, s^ = 16, moved by 4 / (4 + 1/2).
TEST(Adam, DecayGoesThroughTheMeans) {
  OptimizerSettings settings = adam();
  settings.values.weight_decay = 1.0;
  EXPECT_NEAR(path(settings, 2, {{2, 1}})[0], 2.0 - 8.0 / 9, 1e-15);
}

// rho 3/4, epsilon 5, gradient 4, rate 1/2. s = 1/4 · 16 = 4; d = 4 sqrt(0 + 5) / sqrt(4 + 5) = 4 sqrt 5 / 3;
// u = 1/4 · d² = 20/9; moved by d / 2.
// Step 2, gradient 4: s = 3 + 4 = 7; d = 4 sqrt(20/9 + 5) / sqrt 12 = 4 sqrt(65/108).
TEST(Adadelta, MovesByTheRatioOfTwoRoots) {
  OptimizerSettings settings{model::default_optimizer("adadelta")};
  settings.values.rho = 0.75;
  settings.values.epsilon = 5.0;
  const std::vector<double> seen = path(settings, 0, {{4, 0.5}, {4, 0.5}});
  EXPECT_NEAR(seen[0], -2.0 * std::sqrt(5.0) / 3, 1e-15);
  EXPECT_NEAR(seen[1] - seen[0], -2.0 * std::sqrt(65.0 / 108), 1e-15);
  // Outside the roots: (0 + 5) / (2 + 5) · 4.
  settings.epsilon_misplaced = true;
  EXPECT_NEAR(path(settings, 0, {{4, 0.5}})[0], -10.0 / 7, 1e-15);
}

// s starts at 7: 7 + 9 = 16, moved by 3 / (4 + 1) at rate 1; then 16 + 9 = 25, moved by 2 · 3 / (5 + 1).
TEST(Adagrad, SumsSquaresFromTheInitialAccumulator) {
  OptimizerSettings settings{model::default_optimizer("adagrad")};
  settings.values.initial_accumulator = 7.0;
  settings.values.epsilon = 1.0;
  const std::vector<double> seen = path(settings, 0, {{3, 1}, {3, 2}});
  EXPECT_NEAR(seen[0], -3.0 / 5, 1e-15);
  EXPECT_NEAR(seen[1], -3.0 / 5 - 1.0, 1e-15);
  // Inside the root: 3 / sqrt(16 + 9).
  settings.values.epsilon = 9.0;
  settings.epsilon_misplaced = true;
  EXPECT_NEAR(path(settings, 0, {{3, 1}})[0], -3.0 / 5, 1e-15);
}

// rho 3/4, gradient 8: s = 1/4 · 64 = 16, d = 8 / (4 + 1) = 8/5 with epsilon 1 outside; 8 / sqrt(16 + 9) =
// 8/5 with 9 inside. From an initial accumulator of 12: s = 9 + 16 = 25, d = 8 / 6.
TEST(Rmsprop, EpsilonStandsWhereTheRecipeSays) {
  OptimizerSettings settings{model::default_optimizer("rmsprop")};
  settings.values.rho = 0.75;
  settings.values.epsilon = 1.0;
  EXPECT_NEAR(path(settings, 0, {{8, 1}})[0], -8.0 / 5, 1e-15);
  settings.values.initial_accumulator = 12.0;
  EXPECT_NEAR(path(settings, 0, {{8, 1}})[0], -8.0 / 6, 1e-15);
  settings.values.initial_accumulator = 0.0;
  settings.values.epsilon = 9.0;
  settings.values.epsilon_place = EpsilonPlace::inside;
  EXPECT_NEAR(path(settings, 0, {{8, 1}})[0], -8.0 / 5, 1e-15);
  settings.epsilon_misplaced = true;
  EXPECT_NEAR(path(settings, 0, {{8, 1}})[0], -8.0 / 13, 1e-15);
}

// Centered: s = 16, a = 2, q = 16 - 4 = 12, d = 8 / (sqrt 12 + 1). Then gradient 0: s = 12, a = 3/2,
// q = 39/4, d = 0. Momentum 1/2, rates 1 then 1/2: outside v = d, then d/2, moved by d/4; inside d/2.
TEST(Rmsprop, CenteredWithMomentumInBothForms) {
  OptimizerSettings settings{model::default_optimizer("rmsprop")};
  settings.values.rho = 0.75;
  settings.values.epsilon = 1.0;
  settings.values.centered = true;
  settings.values.momentum = 0.5;
  const double d = 8.0 / (std::sqrt(12.0) + 1.0);
  EXPECT_NEAR(path(settings, 0, {{8, 1}, {0, 0.5}})[0], -d, 1e-15);
  EXPECT_NEAR(path(settings, 0, {{8, 1}, {0, 0.5}})[1], -1.25 * d, 1e-15);
  settings.values.form = SgdForm::rate_inside;
  EXPECT_NEAR(path(settings, 0, {{8, 1}, {0, 0.5}})[1], -1.5 * d, 1e-15);
}

TEST(OptimizerSettings, FollowTheRecipeAndTheArithmetic) {
  const model::Graph graph =
      model::Builder("g", {2}).add("score", "dense", {{"out_features", model::count(2)}}).finish();
  model::Recipe recipe;
  recipe.optimizer = {"sgd", SgdForm::rate_outside, 0.9, 0.01, false};
  std::vector<OptimizerSettings> settings = optimizer_settings(graph, recipe, {});
  ASSERT_EQ(settings.size(), 2U);
  EXPECT_EQ(settings[0].values.weight_decay, 0.01);
  EXPECT_EQ(settings[1].values.weight_decay, 0.0) << "the bias does not decay";
  EXPECT_EQ(settings[1].values.momentum, 0.9);
  EXPECT_EQ(settings[0].values.form, SgdForm::rate_outside);

  recipe.optimizer.decay_bias = true;
  Arithmetic arithmetic;
  arithmetic.rate_inside = true;
  arithmetic.dampening = 0.5;
  settings = optimizer_settings(graph, recipe, arithmetic);
  EXPECT_EQ(settings[1].values.weight_decay, 0.01);
  EXPECT_EQ(settings[1].values.form, SgdForm::rate_inside);
  EXPECT_EQ(settings[0].dampening, 0.5);
  settings[0].values.name = "adam9";
  EXPECT_THROW((void)make_optimizer<double>(settings[0]), base::Bug);
}

}  // namespace
}  // namespace dlbench::oracle
