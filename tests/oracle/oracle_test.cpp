#include "oracle/oracle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "oracle/support.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::oracle {
namespace {

using model::count;
using testing::all_test_graphs;
using testing::noise_batch;
using testing::noise_weights;
using testing::relative_error;
using testing::tensor;

Arithmetic variation(std::uint64_t number) {
  Arithmetic arithmetic;
  arithmetic.rounding.variation = number;
  return arithmetic;
}

// Through the public interface: weights are float, so the step is the difference that float really made.
TEST(OracleTest, GradientsAgreeWithFiniteDifferencesOfTheLoss) {
  for (const model::Graph& graph : all_test_graphs()) {
    model::Weights weights = noise_weights(graph);
    const model::Batch batch = noise_batch(graph, 3, 1);
    const Evaluation exact = differentiate(graph, weights, batch, Precision::fp64);
    for (std::size_t p = 0; p < weights.size(); ++p) {
      double largest = 0.0;
      for (const double gradient : exact.gradients[p]) {
        largest = std::max(largest, std::abs(gradient));
      }
      for (std::size_t i = 0; i < weights[p].values.size(); ++i) {
        float& weight = weights[p].values[i];
        const float kept = weight;
        weight = kept + 0x1.0p-14F;
        const double above_at = weight;
        const double above = differentiate(graph, weights, batch, Precision::fp64).loss;
        weight = kept - 0x1.0p-14F;
        const double below = differentiate(graph, weights, batch, Precision::fp64).loss;
        const double slope = (above - below) / (above_at - static_cast<double>(weight));
        weight = kept;
        EXPECT_NEAR(slope, exact.gradients[p][i], 1e-6 * std::max(largest, 1e-3))
            << graph.name << " " << p << " " << i;
      }
    }
  }
}

double largest_difference(const Values& a, const Values& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    largest = std::max(largest, std::abs(a.at(i) - b[i]));
  }
  return largest;
}

// Relative to the sums of absolute terms: bias gradients cancel, so the tensor itself is no measure.
TEST(OracleTest, FloatAgreesWithDoubleWithinRoundOff) {
  constexpr double tolerance = 16 * 0x1.0p-24;
  for (const model::Graph& graph : all_test_graphs()) {
    const model::Weights weights = noise_weights(graph);
    const model::Batch batch = noise_batch(graph, 3, 1);
    const Evaluation exact = differentiate(graph, weights, batch, Precision::fp64);
    const Evaluation rounded = differentiate(graph, weights, batch, Precision::fp32);
    EXPECT_LT(largest_difference(rounded.logits, exact.logits), tolerance * exact.logits_scale) << graph.name;
    EXPECT_NEAR(rounded.loss, exact.loss, tolerance * exact.loss) << graph.name;
    for (std::size_t p = 0; p < weights.size(); ++p) {
      EXPECT_LT(largest_difference(rounded.gradients[p], exact.gradients[p]),
                tolerance * exact.gradient_scales[p])
          << graph.name << " " << p;
    }
    for (const double logit : rounded.logits) {
      EXPECT_EQ(logit, static_cast<double>(static_cast<float>(logit))) << "not computed in float";
    }
  }
}

TEST(OracleTest, InferenceIsTheForwardPassAlone) {
  const model::Graph graph = zoo::lenet();
  const model::Weights weights = noise_weights(graph);
  const model::Batch batch = noise_batch(graph, 4, 2);
  const Evaluation inferred = infer(graph, weights, batch, Precision::fp64);
  const Evaluation trained = differentiate(graph, weights, batch, Precision::fp64);
  EXPECT_EQ(inferred.logits, trained.logits);
  EXPECT_EQ(inferred.loss, trained.loss);
  EXPECT_EQ(inferred.logits_scale, trained.logits_scale);
  EXPECT_TRUE(inferred.gradients.empty());
  EXPECT_EQ(trained.gradients.size(), weights.size());
}

TEST(OracleTest, RoundingVariationsDifferInBitsAndAgree) {
  const model::Graph graph = zoo::lenet();
  const model::Weights weights = noise_weights(graph);
  const model::Batch batch = noise_batch(graph, 4, 0);
  const Evaluation exact = differentiate(graph, weights, batch, Precision::fp64);
  std::set<std::vector<Values>> distinct;
  for (std::uint64_t number = 0; number < 9; ++number) {
    const Evaluation rounded = differentiate(graph, weights, batch, Precision::fp32, variation(number));
    for (std::size_t p = 0; p < weights.size(); ++p) {
      EXPECT_LT(relative_error(rounded.gradients[p], exact.gradients[p]), 1e-5) << number << " " << p;
    }
    EXPECT_EQ(rounded.gradients,
              differentiate(graph, weights, batch, Precision::fp32, variation(number)).gradients);
    distinct.insert(rounded.gradients);
  }
  EXPECT_EQ(distinct.size(), 9U);
  EXPECT_EQ(differentiate(graph, weights, batch, Precision::fp64, variation(7)).gradients, exact.gradients);
}

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

// A perturbed evaluation must not leave its ulp in the weights: with rate 0 they stay to the bit.
TEST(OracleTest, PerturbationsDoNotAccumulateInTheWeights) {
  const model::Graph graph = zoo::lenet();
  const model::Weights weights = noise_weights(graph);
  const std::vector<model::Batch> batches = {noise_batch(graph, 2, 0), noise_batch(graph, 2, 1)};
  const std::vector<double> rates = {0.0, 0.0};
  const Trajectory result = train(graph, {}, weights, batches, rates, Precision::fp32, variation(3));
  for (std::size_t p = 0; p < weights.size(); ++p) {
    EXPECT_EQ(result.weights[p], Values(weights[p].values.begin(), weights[p].values.end()));
  }
}

// Two layers of one unit: h = u x, logits = (a h, -a h); x = 1, u = 1, a = 1, target 0. With s = 1 / (1 +
// e^2) the gradient of the logits is (-s, s), da = (-s, s), and du = -s·a - s·a = -2 s a. In the race `a` has
// already moved to (1 + s, -1 - s) at rate 1, so du = -2 s (1 + s).
TEST(OracleTest, WeightRaceTakesTheInputGradientThroughUpdatedWeights) {
  const model::Graph graph = model::Builder("race", {1})
                                 .add("first", "dense", {{"out_features", count(1)}, {"bias", false}})
                                 .add("score", "dense", {{"out_features", count(2)}, {"bias", false}})
                                 .finish();
  const model::Weights weights = {tensor({1, 1}, {1}), tensor({2, 1}, {1, -1})};
  const std::vector<model::Batch> batches = {{tensor({1, 1}, {1}), {0}}};
  const std::vector<double> rates = {1.0};
  const double s = 1.0 / (1.0 + std::exp(2.0));
  Arithmetic race;
  race.weight_race = true;
  const Trajectory right = train(graph, {}, weights, batches, rates, Precision::fp64);
  const Trajectory raced = train(graph, {}, weights, batches, rates, Precision::fp64, race);
  EXPECT_NEAR(right.weights[0][0], 1.0 + 2.0 * s, 1e-15);
  EXPECT_NEAR(raced.weights[0][0], 1.0 + 2.0 * s * (1.0 + s), 1e-15);
  EXPECT_NEAR(right.weights[1][0], 1.0 + s, 1e-15);
  EXPECT_EQ(raced.weights[1], right.weights[1]);
  EXPECT_EQ(raced.losses, right.losses);
}

TEST(OracleTest, ArithmeticReachesTheOperatorsAndTheOptimizer) {
  const model::Graph graph =
      model::Builder("pooled", {1, 1, 2})
          .add("conv", "conv2d", {{"out_channels", count(1)}, {"kernel", model::extents({1, 1})}})
          .add("pool", "max_pool", {{"kernel", model::extents({1, 2})}, {"stride", model::extents({1, 2})}})
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(2)}})
          .finish();
  const model::Weights weights = noise_weights(graph);
  const model::Batch tied{tensor({1, 1, 1, 2}, {0.5F, 0.5F}), {0}};
  Arithmetic all;
  all.ties_all = true;
  const Evaluation first = differentiate(graph, weights, tied, Precision::fp64);
  const Evaluation both = differentiate(graph, weights, tied, Precision::fp64, all);
  EXPECT_EQ(measure_margins(graph, weights, tied, 1.0).pool, (std::vector<Margin>{{0.0, 0, 1}}));
  EXPECT_EQ(both.gradients[0][0], 2.0 * first.gradients[0][0]);

  model::Recipe recipe;
  recipe.optimizer.momentum = 0.5;
  const std::vector<model::Batch> batches(3, tied);
  const std::vector<double> rates = {0.5, 0.25, 0.5};
  const auto trained = [&](const Arithmetic& arithmetic) {
    return train(graph, recipe, weights, batches, rates, Precision::fp64, arithmetic).weights;
  };
  Arithmetic dampened;
  dampened.dampening = 0.5;
  Arithmetic inside;
  inside.rate_inside = true;
  EXPECT_NE(trained(dampened), trained({}));
  EXPECT_NE(trained(inside), trained({}));
  EXPECT_NE(trained(all), trained({}));
  recipe.optimizer.form = model::SgdForm::rate_inside;
  EXPECT_EQ(trained(inside), trained({}));
}

// relu of (0.5, -2) and (1, 4): 0.5, 2, 1 and 4 from zero beside the largest, 4. The second row alone has the
// same largest value; the first alone has 2, unless it is measured by the scales of the batch.
TEST(OracleTest, MarginsAreRelativeToTheBatchThatTheirScalesComeFrom) {
  const model::Graph graph = model::Builder("r", {2})
                                 .add("active", "relu")
                                 .add("score", "dense", {{"out_features", count(2)}})
                                 .finish();
  const model::Weights weights = testing::noise_weights(graph);
  const Margins both = measure_margins(graph, weights, {tensor({2, 2}, {0.5, -2, 1, 4}), {0, 1}}, 1.0);
  EXPECT_EQ(both.relu, (std::vector<Margin>{{0.125, 0}, {0.5, 0}, {0.25, 1}}));
  ASSERT_EQ(both.scales.size(), graph.nodes.size());
  EXPECT_EQ(both.scales[0], 4.0);
  EXPECT_EQ(both.scales[1], 0.0) << "dense is smooth";
  const model::Batch first = {tensor({1, 2}, {0.5, -2}), {0}};
  EXPECT_EQ(measure_margins(graph, weights, first, 1.0).relu, (std::vector<Margin>{{0.25, 0}}));
  EXPECT_EQ(measure_margins(graph, weights, first, 1.0, both.scales).relu,
            (std::vector<Margin>{{0.125, 0}, {0.5, 0}}));
}

TEST(OracleTest, ADivergedNetworkGivesNotANumberAndNoMargins) {
  const model::Graph graph = zoo::lenet();
  model::Weights weights = noise_weights(graph);
  std::ranges::fill(weights[0].values, std::numeric_limits<float>::quiet_NaN());
  const Evaluation result = differentiate(graph, weights, noise_batch(graph, 2, 0), Precision::fp64);
  EXPECT_TRUE(std::isnan(result.loss));
  EXPECT_TRUE(measure_margins(graph, weights, noise_batch(graph, 2, 0), 1.0).pool.empty());
}

TEST(OracleTest, WorkThatDoesNotFitIsABug) {
  const model::Graph graph = zoo::lenet();
  const model::Weights weights = noise_weights(graph);
  const auto run = [&](const model::Weights& w, const model::Batch& b) {
    return infer(graph, w, b, Precision::fp64);
  };
  const model::Batch good = noise_batch(graph, 2, 0);
  model::Weights short_weights = weights;
  short_weights.pop_back();
  EXPECT_THROW((void)run(short_weights, good), base::Bug);
  model::Weights misshaped = weights;
  std::swap(misshaped[0].shape[2], misshaped[0].shape[0]);
  EXPECT_THROW((void)run(misshaped, good), base::Bug);
  model::Weights truncated = weights;
  truncated[2].values.pop_back();
  EXPECT_THROW((void)run(truncated, good), base::Bug);

  model::Batch bad = good;
  bad.target[1] = 10;
  EXPECT_THROW((void)run(weights, bad), base::Bug);
  bad.target[1] = -1;
  EXPECT_THROW((void)run(weights, bad), base::Bug);
  bad = good;
  bad.target.pop_back();
  EXPECT_THROW((void)run(weights, bad), base::Bug);
  bad = good;
  bad.input.values.pop_back();
  EXPECT_THROW((void)run(weights, bad), base::Bug);
  EXPECT_THROW((void)run(weights, noise_batch(graph, 0, 0)), base::Bug);
  const std::vector<double> no_rates;
  EXPECT_THROW((void)train(graph, {}, weights, std::vector<model::Batch>{good}, no_rates, Precision::fp64),
               base::Bug);
}

}  // namespace
}  // namespace dlbench::oracle
