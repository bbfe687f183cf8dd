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
using testing::variation;

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
