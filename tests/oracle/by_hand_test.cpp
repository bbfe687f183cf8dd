// Known answers of one layer, derived by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/builder.hpp"
#include "oracle/oracle.hpp"
#include "oracle/support.hpp"

namespace dlbench::oracle {
namespace {

using model::count;
using testing::tensor;
using testing::variation;

// One feature, two classes, no bias: logits (a x, b x).
class SmallTest : public ::testing::Test {
 protected:
  const model::Graph graph_ = model::Builder("small", {1})
                                  .add("score", "dense", {{"out_features", count(2)}, {"bias", false}})
                                  .finish();
  const model::Weights weights_ = {tensor({2, 1}, {0, 0})};
  // Both rows: class 0.
  const model::Batch batch_{tensor({2, 1}, {1, -3}), {0, 0}};
};

// At w = 0 the softmax is (1/2, 1/2); dlogits = ±1/4 per row; dW = (-1/4·1 + 1/4·3, …) = (1/2, -1/2);
// sums of absolute terms: |x||W| = 0 for the logits, 1/4·1 + 1/4·3 = 1 for the gradient.
TEST_F(SmallTest, GradientAndScalesByHand) {
  const Evaluation result = differentiate(graph_, weights_, batch_, Precision::fp64);
  EXPECT_EQ(result.gradients[0], (Values{0.5, -0.5}));
  EXPECT_EQ(result.gradient_scales, (std::vector<double>{1.0}));
  EXPECT_EQ(result.logits_scale, 0.0);
  EXPECT_NEAR(result.loss, std::log(2.0), 1e-15);
  const Margins margins = measure_margins(graph_, weights_, batch_, 1.0);
  EXPECT_TRUE(margins.relu.empty());
  EXPECT_TRUE(margins.pool.empty());
}

// W = (2, -3): |x||W| is largest at 3·3 = 9.
TEST_F(SmallTest, LogitsScaleIsTheLargestSumOfAbsoluteTerms) {
  EXPECT_EQ(infer(graph_, {tensor({2, 1}, {2, -3})}, batch_, Precision::fp64).logits_scale, 9.0);
}

// By hand with p = 1 / (1 + e^-(d x)), d = w0 - w1, both classes mirror each other: g = mean of -(1 - p) x
// for row 0.
TEST_F(SmallTest, TrajectoryByHand) {
  model::Recipe recipe;
  recipe.optimizer.momentum = 0.5;
  recipe.optimizer.weight_decay = 0.25;
  const std::vector<model::Batch> batches = {batch_, batch_, batch_};
  const std::vector<double> rates = {0.5, 0.25, 1.0};
  for (const bool inside : {false, true}) {
    double w = 0.0;  // of class 0; class 1 has -w
    double v = 0.0;
    std::vector<double> losses;
    for (const double rate : rates) {
      const auto lost = [&](double x) { return std::log1p(std::exp(-2.0 * w * x)); };
      const auto slope = [&](double x) { return -x / (1.0 + std::exp(2.0 * w * x)); };
      losses.push_back((lost(1) + lost(-3)) / 2.0);
      const double g = (slope(1) + slope(-3)) / 2.0 + 0.25 * w;
      v = 0.5 * v + (inside ? rate * g : g);
      w -= inside ? v : rate * v;
    }
    recipe.optimizer.form = inside ? model::SgdForm::rate_inside : model::SgdForm::rate_outside;
    const Trajectory result = train(graph_, recipe, weights_, batches, rates, Precision::fp64);
    EXPECT_NEAR(result.weights[0][0], w, 1e-15);
    EXPECT_NEAR(result.weights[0][1], -w, 1e-15);
    ASSERT_EQ(result.losses.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(result.losses[i], losses[i], 1e-15);
    }
    const Trajectory in_float = train(graph_, recipe, weights_, batches, rates, Precision::fp32);
    EXPECT_NEAR(in_float.weights[0][0], w, 1e-6);
    EXPECT_TRUE(in_float.delta_scales.empty());
    EXPECT_EQ(in_float.weights[0][0], static_cast<double>(static_cast<float>(in_float.weights[0][0])));
  }
}

// Logits are (w x, -w x), so with x = 1 and x = -3 they show the w that evaluation read: after two steps at
// rate 1/2 that is w_2, the average a_2 = d a_1 + (1 - d) w_2 with a_1 = d w_0 + (1 - d) w_1, or w_0 where it
// is stale. With the ramp d is 2/11 and then 3/12 instead of 3/4.
TEST_F(SmallTest, EvaluationAfterTrainingByHand) {
  const std::vector<model::Batch> batches = {batch_, batch_};
  const std::vector<double> rates = {0.5, 0.5};
  std::vector<double> w = {0.0};
  for (const double rate : rates) {
    const auto slope = [&](double x) { return -x / (1.0 + std::exp(2.0 * w.back() * x)); };
    w.push_back(w.back() - rate * (slope(1) + slope(-3)) / 2.0);
  }
  const auto average = [&](double first, double second) {
    return second * ((1 - first) * w[1]) + (1 - second) * w[2];
  };
  const auto seen = [&](const model::WeightEma& ema, const Arithmetic& arithmetic) {
    model::Recipe recipe;
    recipe.weight_ema = ema;
    const Trajectory result =
        train(graph_, recipe, weights_, batches, rates, Precision::fp64, arithmetic, &batch_);
    EXPECT_EQ(result.logits.size(), 4U);
    EXPECT_NEAR(result.logits[3], 3 * result.logits[0], 1e-15);
    EXPECT_NEAR(result.logits_scale, 3 * std::abs(result.logits[0]), 1e-15);
    EXPECT_NEAR(result.weights[0][0], w[2], 1e-15) << "training goes on with w";
    return result.logits[0];
  };
  EXPECT_NEAR(seen({}, {}), w[2], 1e-15);
  EXPECT_NEAR(seen({.decay = 0.75}, {}), average(0.75, 0.75), 1e-15);
  EXPECT_NEAR(seen({.decay = 0.75, .ramp = true}, {}), average(2.0 / 11, 0.25), 1e-15);
  Arithmetic stale;
  stale.stale_evaluation = true;
  EXPECT_EQ(seen({}, stale), 0.0);
  EXPECT_TRUE(train(graph_, {}, weights_, batches, rates, Precision::fp64).logits.empty());
}

// x = ±1 with the target split so that the gradient stays 0 at w = 0 while its absolute terms sum to 1/2:
// v = 1/2, then 1/2·1/2 + 1/2 = 3/4; with rates 1/2 and 1/4 the path is 1/4 + 3/16; the largest |w_0| is 0.
TEST_F(SmallTest, DeltaScaleFollowsTheOptimizer) {
  model::Recipe recipe;
  recipe.optimizer.momentum = 0.5;
  const model::Batch balanced{tensor({2, 1}, {1, -1}), {0, 0}};
  const std::vector<model::Batch> batches = {balanced, balanced};
  const std::vector<double> rates = {0.5, 0.25};
  const Trajectory result = train(graph_, recipe, weights_, batches, rates, Precision::fp64);
  EXPECT_EQ(result.weights[0], (Values{0.0, 0.0}));
  EXPECT_EQ(result.delta_scales, (std::vector<double>{7.0 / 16}));
  // Rounding of w - w_0 is relative to w_0 too.
  recipe.optimizer.momentum = 0.0;
  const std::vector<double> still = {0.0, 0.0};
  EXPECT_EQ(train(graph_, recipe, {tensor({2, 1}, {0.5, -2})}, batches, still, Precision::fp64).delta_scales,
            (std::vector<double>{2.0}));
}

// Decay 1/2 on w_0 = (0, -2) adds 1/2 · 2 = 1 to the gradient's scale. The gradient's scale: p(class 0) is
// s = 1 / (1 + e^-2) for x = 1 and 1 - s for x = -1, so Σ |x||dy| = (1 - s)/2 + s/2 = 1/2. One step at rate
// 1/4: 2 + (1/2 + 1) / 4.
TEST_F(SmallTest, DeltaScaleCountsDecayOnce) {
  model::Recipe recipe;
  recipe.optimizer.weight_decay = 0.5;
  const std::vector<model::Batch> batches = {{tensor({2, 1}, {1, -1}), {0, 0}}};
  const std::vector<double> rates = {0.25};
  const Trajectory result = train(graph_, recipe, {tensor({2, 1}, {0, -2})}, batches, rates, Precision::fp64);
  EXPECT_NEAR(result.delta_scales[0], 2.375, 1e-15);
  const std::vector<model::Batch> two = {batches[0], batches[0]};
  const std::vector<double> two_rates = {0.25, 0.25};
  const Trajectory longer = train(graph_, recipe, {tensor({2, 1}, {0, -2})}, two, two_rates, Precision::fp64);
  // The second step adds (1/2 + 1/2 · max |w_1|) / 4 and nothing for the path so far.
  const double largest = std::max(std::abs(result.weights[0][0]), std::abs(result.weights[0][1]));
  EXPECT_NEAR(longer.delta_scales[0], 2.375 + (0.5 + 0.5 * largest) / 4.0, 1e-15);
}

// With x = 1 the logits are the weights as the evaluation saw them.
TEST_F(SmallTest, VariationsEvaluateWithPerturbedWeights) {
  const model::Weights weights = {tensor({2, 1}, {0.3F, -0.7F})};
  const model::Batch batch{tensor({1, 1}, {1}), {0}};
  const std::vector<model::Batch> batches = {batch};
  const std::vector<double> rates = {0.0};
  std::set<Values> logits;
  std::set<double> losses;
  for (std::uint64_t number = 1; number < 200; ++number) {
    const Evaluation result = infer(graph_, weights, batch, Precision::fp32, variation(number));
    for (std::size_t i = 0; i < 2; ++i) {
      const float weight = weights[0].values[i];
      EXPECT_GE(result.logits[i], std::nextafter(weight, -1.0F));
      EXPECT_LE(result.logits[i], std::nextafter(weight, 1.0F));
    }
    logits.insert(result.logits);
    losses.insert(train(graph_, {}, weights, batches, rates, Precision::fp32, variation(number)).losses[0]);
  }
  EXPECT_EQ(logits.size(), 9U) << "each of the two weights down, same, up";
  EXPECT_GT(losses.size(), 1U);
}

TEST_F(SmallTest, NoStepsLeaveTheWeights) {
  const Trajectory result =
      train(graph_, {}, {tensor({2, 1}, {3, 4})}, {}, {}, Precision::fp32, variation(3));
  EXPECT_TRUE(result.losses.empty());
  EXPECT_EQ(result.weights[0], (Values{3, 4}));
}

}  // namespace
}  // namespace dlbench::oracle
