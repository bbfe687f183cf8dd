// The parts that a plan is made of: batches, rates, budget, limits, threads.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gate/budget.hpp"
#include "gate/envelope.hpp"
#include "gate/experiments.hpp"
#include "gate/limits.hpp"
#include "gate/runs.hpp"
#include "gate/sample_work.hpp"
#include "gate/verification_batch.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::gate {
namespace {

TEST(VerificationBatch, FirstRowsAndNoise) {
  const model::Batch real = {{{3, 2}, {1, 2, 3, 4, 5, 6}}, {7, 8, 9}};
  const model::Batch two = first_rows(real, 2);
  EXPECT_EQ(two.input.shape, (model::Shape{2, 2}));
  EXPECT_EQ(two.input.values, (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(two.target, (std::vector<std::int64_t>{7, 8}));
  EXPECT_EQ(first_rows(real, 10).target.size(), 3U);
  const model::Batch noisy = with_noise(real, 1, 5);
  EXPECT_NE(noisy.input.values, with_noise(real, 1, 6).input.values);
  EXPECT_EQ(noisy.input.values, with_noise(real, 1, 5).input.values);
  for (std::size_t i = 0; i < 6; ++i) {
    const float noise = noisy.input.values[i] - real.input.values[i];
    EXPECT_TRUE(noise >= 0.0F && noise < 0.0201F) << noise;
  }
}

// A relu input that is zero for every candidate (no weights at all) can never be avoided: the search must end
// anyway.
TEST(VerificationBatch, SearchEndsWithoutAPerfectCandidate) {
  const model::Graph graph = *fault_graph("two_hidden");
  model::Weights weights = model::initial_weights(graph, {});
  for (model::Tensor& tensor : weights) {
    std::fill(tensor.values.begin(), tensor.values.end(), 0.0F);
  }
  const VerificationBatch chosen =
      choose_batch(graph, weights, sample_batch(graph, 2, 0), {1, 0, most_candidates});
  EXPECT_EQ(chosen.margins, 2 * (9 + 7));
}

std::int64_t near_relus(const model::Graph& graph, const model::Weights& weights, const model::Batch& batch) {
  return std::ssize(oracle::measure_margins(graph, weights, batch, relu_margin).relu);
}

// One relu on two features, as they are. Row 0 has its first value 2^-20 from zero, which is 16 round-offs of
// the batch's largest value, 1, and 1024 of the row's own, 2^-10: near in the batch alone.
TEST(VerificationBatch, NearIsRelativeToTheWholeBatch) {
  const model::Graph graph = model::Builder("r", {2})
                                 .add("active", "relu")
                                 .add("score", "dense", {{"out_features", model::count(2)}})
                                 .finish();
  const model::Weights weights = model::initial_weights(graph, {});
  const model::Batch both = {{{2, 2}, {0x1.0p-20F, 0x1.0p-10F, 1.0F, 0.5F}}, {0, 1}};
  EXPECT_EQ(near_relus(graph, weights, both), 1);
  EXPECT_EQ(near_relus(graph, weights, first_rows(both, 1)), 0);
}

// The same network: with the noise of candidate 0 row 0 has 2^-20 beside 2^-10 and noise, far from zero for
// the row and near beside the 1 of row 1.
TEST(VerificationBatch, RowsAreMeasuredByTheWholeBatch) {
  const model::Graph graph = model::Builder("r", {2})
                                 .add("active", "relu")
                                 .add("score", "dense", {{"out_features", model::count(2)}})
                                 .finish();
  const model::Weights weights = model::initial_weights(graph, {});
  model::Batch real = {{{2, 2}, {0.0F, 0x1.0p-10F, 1.0F, 0.5F}}, {0, 1}};
  real.input.values[0] = 0x1.0p-20F - with_noise(real, 1, 0).input.values[0];
  EXPECT_EQ(near_relus(graph, weights, first_rows(with_noise(real, 1, 0), 1)), 0);
  EXPECT_EQ(choose_batch(graph, weights, real, {1, 0, 1}).margins, 1);
}

// The same network: a value of -noise after row 1's candidate 0 would be a tie of row 1 alone.
TEST(VerificationBatch, RowsTakeCandidatesOfTheirOwn) {
  const model::Graph graph = model::Builder("r", {2})
                                 .add("active", "relu")
                                 .add("score", "dense", {{"out_features", model::count(2)}})
                                 .finish();
  const model::Weights weights = model::initial_weights(graph, {});
  model::Batch real = {{{2, 2}, {0.5F, 1.0F, 0.25F, 1.0F}}, {0, 1}};
  const float noise = with_noise(real, 1, 0).input.values[2] - real.input.values[2];
  real.input.values[2] = -noise;
  ASSERT_EQ(near_relus(graph, weights, with_noise(real, 1, 0)), 1);
  const VerificationBatch chosen = choose_batch(graph, weights, real, {1, 0, 2});
  EXPECT_EQ(chosen.margins, 0);
  const std::vector<float>& values = chosen.batch.input.values;
  const std::vector<float> first = with_noise(real, 1, 0).input.values;
  const std::vector<float> second = with_noise(real, 1, 1).input.values;
  EXPECT_EQ((std::vector<float>{values[0], values[1]}), (std::vector<float>{first[0], first[1]}));
  EXPECT_EQ((std::vector<float>{values[2], values[3]}), (std::vector<float>{second[2], second[3]}));
}

// With a batch_norm what one row does depends on all: they take one candidate, here the same for both.
TEST(VerificationBatch, JoinedRowsTakeOneCandidate) {
  const model::Graph graph = *fault_graph("normalised");
  const model::Weights weights = model::initial_weights(graph, {});
  const model::Batch real = sample_batch(graph, 4, 0);
  const model::Batch chosen = choose_batch(graph, weights, real, {1, 0, 3}).batch;
  const bool is_one = chosen.input.values == with_noise(real, 1, 0).input.values ||
                      chosen.input.values == with_noise(real, 1, 1).input.values ||
                      chosen.input.values == with_noise(real, 1, 2).input.values;
  EXPECT_TRUE(is_one);
}

// Zeros stay in a window of half the height and width, at a place of each picture's own.
TEST(VerificationBatch, BackgroundStaysFlatInOneWindow) {
  model::Batch real = {{{2, 1, 8, 6}, std::vector<float>(96)}, {0, 1}};
  real.input.values[10] = 0.5F;
  const model::Batch noisy = with_noise(real, 1, 7);
  const model::Batch half = with_noise_around(real, 1, 7, 1);
  const model::Batch whole = with_noise_around(real, 1, 7, 0);
  for (std::int64_t row = 0; row < 2; ++row) {
    const auto begin = half.input.values.begin() + row * 48;
    const auto zeros = std::count(begin, begin + 48, 0.0F);
    EXPECT_TRUE(zeros == 12 || zeros == 11) << zeros;  // the one bright element may lie in the window
  }
  EXPECT_EQ(std::count(whole.input.values.begin(), whole.input.values.end(), 0.0F), 95);
  EXPECT_EQ(half.input.values[10], noisy.input.values[10]);
  EXPECT_EQ(with_noise_around(real, 1, 7, 4).input.values, noisy.input.values);
}

// A picture without anything on it: every maximum of both pools ties. Behind the first convolution it is the
// bias that ties, which is wanted; behind the second a framework may round equal sums apart.
TEST(VerificationBatch, MaximaTieBehindOneLayerOfWeightsOnly) {
  const auto conv = [](std::int64_t channels) {
    return model::Attributes{{"out_channels", model::count(channels)}, {"kernel", model::extents({3, 3})}};
  };
  const model::Attributes pool = {{"kernel", model::extents({2, 2})}, {"stride", model::extents({2, 2})}};
  const model::Graph graph = model::Builder("p", {1, 18, 18})
                                 .add("conv1", "conv2d", conv(2))
                                 .add("pool1", "max_pool", pool)
                                 .add("conv2", "conv2d", conv(2))
                                 .add("pool2", "max_pool", pool)
                                 .add("flat", "flatten")
                                 .add("score", "dense", {{"out_features", model::count(2)}})
                                 .finish();
  model::Weights weights = model::initial_weights(graph, {});
  const std::vector<model::Parameter> parameters = model::parameters(graph);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (parameters[i].role == model::ParameterRole::bias) {  // zeros are not counted: a relu makes them too
      std::ranges::fill(weights[i].values, 0.25F);
    }
  }
  const model::Batch empty = {{{1, 1, 18, 18}, std::vector<float>(324)}, {0}};
  const VerificationBatch chosen = choose_batch(graph, weights, empty, {1, 0, ties_candidates, true});
  EXPECT_EQ(chosen.margins, 0);
  const oracle::Margins margins = oracle::measure_margins(graph, weights, chosen.batch, pool_margin);
  const auto ties_at = [&](std::size_t node) {
    return std::ranges::count_if(
        margins.pool, [&](const oracle::Margin& m) { return m.node == node && m.distance == 0.0; });
  };
  EXPECT_GT(ties_at(1), 0);
  EXPECT_EQ(ties_at(3), 0);
}

TEST(VerificationBatch, StepsWithNearTiesAreJudgedByEuclideanErrors) {
  const model::Graph graph = *fault_graph("two_hidden");
  const Work work = sample_work(graph, 4);
  Material material = gather_material(work, 2);
  EXPECT_EQ(constant_steps(work, material, 3).norm, Norm::largest);
  for (model::Tensor& tensor : material.weights) {
    std::ranges::fill(tensor.values, 0.0F);
  }
  EXPECT_EQ(constant_steps(work, material, 3).norm, Norm::euclidean) << "all relus are at zero";
  const auto gradients = gradient_experiments("g", work, material, material.batch, Norm::euclidean);
  EXPECT_EQ(gradients.front().experiment.norm, Norm::euclidean);
}

TEST(GradientExperiments, RateDominatesTheWeights) {
  const Work work = sample_work(testing::small_net(), 12);
  const Material material = gather_material(work, 8);
  const auto experiments = gradient_experiments("function.gradient", work, material, material.batch);
  ASSERT_EQ(experiments.size(), 1U);
  const double rate = experiments[0].experiment.rates.front();
  EXPECT_EQ(rate, std::exp2(std::round(std::log2(rate)))) << "a power of two";
  const oracle::Evaluation run =
      oracle::differentiate(work.graph, material.weights, material.batch, oracle::Precision::fp64);
  for (std::size_t i = 0; i < material.weights.size(); ++i) {
    double gradient = 0.0;
    for (const double g : run.gradients[i]) {
      gradient = std::max(gradient, std::abs(g));
    }
    double weight = 0.0;
    for (const float w : material.weights[i].values) {
      weight = std::max(weight, std::abs(static_cast<double>(w)));
    }
    EXPECT_GE(rate * gradient, 1024.0 * weight) << i;
  }
  EXPECT_EQ(experiments[0].experiment.recipe.optimizer.momentum, 0.0);
  EXPECT_EQ(experiments[0].experiment.recipe.optimizer.weight_decay, 0.0);
}

// The first layer's gradient is about 1e-25 of the last one's: one rate for both would leave the range of
// floats.
TEST(GradientExperiments, SeveralRatesWhereOneOverflows) {
  Work work = sample_work(*fault_graph("two_hidden"), 6);
  Material material = gather_material(work, 6);
  for (const std::size_t layer : {2U, 4U}) {  // second.weight, score.weight
    for (float& value : material.weights[layer].values) {
      value *= 1e-18F;
    }
  }
  const auto experiments = gradient_experiments("function.gradient", work, material, material.batch);
  ASSERT_GT(experiments.size(), 1U);
  std::vector<int> judged(material.weights.size());
  for (const GradientExperiment& one : experiments) {
    for (std::size_t i = 0; i < judged.size(); ++i) {
      judged[i] += one.judged[i] ? 1 : 0;
    }
  }
  EXPECT_EQ(judged, std::vector<int>(material.weights.size(), 1)) << "each parameter exactly once";
  EXPECT_EQ(experiments[1].experiment.id, "function.gradient.2");
}

TEST(Experiments, StepsFollowTheRecipe) {
  Work work = sample_work(testing::small_net(), 12);
  const Material material = gather_material(work, 8);
  const Experiment changing = changing_steps(work, material, 5);
  EXPECT_EQ(changing.rates, (std::vector<double>{0.01, 0.01, 0.005, 0.005, 0.0025}));
  EXPECT_EQ(changing.recipe.optimizer.momentum, 0.9);
  const Experiment stress = stress_steps(work, material, 3);
  EXPECT_EQ(stress.recipe.optimizer.weight_decay, 0.1);
  EXPECT_EQ(stress.batches.front().target.size(), 8U);
  const Experiment timed = timed_steps(work, material, 3, 16);
  EXPECT_EQ(timed.batches.front().target.size(), 12U);
  EXPECT_EQ(timed.repeats, 3);
  EXPECT_EQ(shortened(timed, 2).rates.size(), 2U);
  // Biases start off zero, or a forgotten one could not be seen.
  EXPECT_NE(material.weights[1].values.front(), 0.0F);
}

TEST(Budget, LenetIsFullyAffordable) {
  const Budget budget = budget_of(sample_work(zoo::lenet(), 64));
  EXPECT_EQ(budget.rows, 8);
  EXPECT_EQ(budget.evaluations, 32);
  EXPECT_EQ(budget.timed_steps, 10);
  EXPECT_GT(budget.seconds, 1.0);
  EXPECT_LT(budget.seconds, 120.0);
}

// 15.5 GMAC a sample, as VGG-16: beyond every budget.
TEST(Budget, GivesUpSamplesThenEvaluationsThenTheTimedBatch) {
  Work work = sample_work(testing::small_net(), 12);
  work.graph.nodes[0].macs = 500'000'000;
  const Budget fewer_rows = budget_of(work);
  EXPECT_LT(fewer_rows.rows, 8);
  EXPECT_EQ(fewer_rows.evaluations, 32);
  EXPECT_EQ(fewer_rows.timed_steps, 7) << "10 steps of 12 rows cost 1.2 s each, 14 times";
  work.graph.nodes[0].macs = 15'500'000'000;
  const Budget least = budget_of(work);
  EXPECT_EQ(least.rows, 1);
  EXPECT_EQ(least.evaluations, 8);
  EXPECT_EQ(least.factor, 16.0);
  EXPECT_EQ(least.timed_steps, 0);
}

// A dense layer of 20 million weights: few multiply-adds, but each evaluation walks all weights whatever the
// rows, so evaluations are given up and samples are not.
TEST(Budget, CountsWeights) {
  const model::Graph wide = model::Builder("wide", {2000})
                                .add("hidden", "dense", {{"out_features", model::count(10'000)}})
                                .add("active", "tanh")
                                .add("score", "dense", {{"out_features", model::count(2)}})
                                .finish();
  const Budget budget = budget_of(sample_work(wide, 4));
  EXPECT_EQ(budget.rows, 8);
  EXPECT_EQ(budget.evaluations, 8);
  EXPECT_GT(budget.seconds, 100.0) << "half a second a step";
}

// 26.4 million multiply-adds a sample: a second a step of 8 rows where they are an lstm's 500 small products,
// 42 ms where they are one layer's.
TEST(Budget, CountsTheSmallProductsOfAnLstm) {
  Work work = sample_work(zoo::lstm_imdb(), 12);
  EXPECT_EQ(budget_of(work).rows, 4);
  for (model::Node& node : work.graph.nodes) {
    for (model::Parameter& parameter : node.parameters) {
      parameter.role = model::ParameterRole::weight;
    }
  }
  EXPECT_EQ(budget_of(work).rows, 8);
}

TEST(Limits, EnvelopeTimesFactorButNeverBelowTheFloor) {
  Expectation expectation;
  set_limits(expectation, {{1e-5, 0.0}, {1e-9}}, 8.0, 2.0);
  EXPECT_DOUBLE_EQ(expectation.tensor_limits[0], 8e-5);
  EXPECT_DOUBLE_EQ(expectation.tensor_limits[1], 32.0 * 0x1.0p-24);
  EXPECT_DOUBLE_EQ(expectation.loss_limits[0], 32.0 * 0x1.0p-24);
}

// One tensor of largest change 1; storing its weights explains a limit of 64 scales.
Expectation with_limit(double tensor_limit, double loss_limit, double scale) {
  Expectation expectation;
  expectation.experiment.quantity = Quantity::delta;
  expectation.experiment.weights = {{{1}, {0.0F}}};
  expectation.truth = {{}, {1.0}, {{1.0}}};
  expectation.tensor_limits = {tensor_limit};
  expectation.tensor_scales = {scale};
  expectation.loss_limits = {loss_limit};
  return expectation;
}

TEST(Limits, ChaosIsALimitThatStorageDoesNotExplain) {
  EXPECT_FALSE(is_chaotic(with_limit(9e-4, 9e-4, 0x1.0p-34)));
  EXPECT_TRUE(is_chaotic(with_limit(1e-3, 9e-4, 0x1.0p-34)));
  EXPECT_TRUE(is_chaotic(with_limit(9e-4, 1e-3, 0x1.0p-34)));
  // A change as small as 1e4 roundings of its weights: 64 of them are 6.4e-3.
  EXPECT_FALSE(is_chaotic(with_limit(6e-3, 9e-4, 1e-4)));
  EXPECT_TRUE(is_chaotic(with_limit(7e-3, 9e-4, 1e-4)));
  // Nothing but rounding: 1e-3 of its terms are 1.7e4 round-offs of them.
  EXPECT_FALSE(is_chaotic(with_limit(9e-4, 9e-4, 2.0)));
  EXPECT_TRUE(is_chaotic(with_limit(1e-3, 9e-4, 2.0)));
}

TEST(Limits, EuclideanErrorsAreChaosFromAnotherLimitOn) {
  const auto euclidean = [](double limit) {
    Expectation expectation = with_limit(limit, 9e-4, 0x1.0p-34);
    expectation.experiment.norm = Norm::euclidean;
    return expectation;
  };
  EXPECT_FALSE(is_chaotic(euclidean(0.049)));
  EXPECT_TRUE(is_chaotic(euclidean(0.05)));
}

// Two of four tensors that have parted are not most of them, three are. By the largest element one is enough.
TEST(Limits, EuclideanErrorsAreChaosInMostTensors) {
  Expectation expectation = with_limit(0.5, 9e-4, 0x1.0p-34);
  for (const double limit : {0.5, 0.01, 0.01}) {
    expectation.experiment.weights.push_back({{1}, {0.0F}});
    expectation.truth.weights.push_back({1.0});
    expectation.tensor_limits.push_back(limit);
    expectation.tensor_scales.push_back(0x1.0p-34);
  }
  EXPECT_TRUE(is_chaotic(expectation));
  expectation.experiment.norm = Norm::euclidean;
  EXPECT_FALSE(is_chaotic(expectation));
  expectation.tensor_limits[2] = 0.05;
  EXPECT_TRUE(is_chaotic(expectation));
}

// A limit of 0.05 counts, an infinite one belongs to another experiment.
TEST(WideLimits, AreToldByExperiment) {
  Expectation expectation;
  expectation.experiment.id = "steps.constant";
  expectation.tensor_limits = {1e-5, 0.05, 3.0, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(wide_limits_note(expectation), "steps.constant: 2 of 3 tensors have limits of 0.05 or more");
  expectation.tensor_limits = {1e-5, 0.049, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(wide_limits_note(expectation), std::nullopt);
}

}  // namespace
}  // namespace dlbench::gate
