// The template runners really train: first steps worked out by hand, and a loss that goes down.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/builder.hpp"
#include "runner_sdk/runner_process.hpp"

namespace dlbench::runner_sdk_test {
namespace {

using model::count;
using testing::ElementsAre;
using testing::FloatNear;

class Template : public testing::TestWithParam<RunnerUnderTest> {
 protected:
  void SetUp() override {
    const std::string reason = why_not(GetParam());
    if (!reason.empty()) {
      GTEST_SKIP() << reason;
    }
  }

  static Json train(RunnerProcess& runner, std::int64_t steps) {
    const Json reply = runner.ask("train", {{"steps", steps}, {"drain", "ends"}, {"loss_every", 1}});
    EXPECT_TRUE(reply.at("ok")) << reply;
    EXPECT_TRUE(runner.ask("get").at("ok"));
    return reply;
  }
};

// Equal logits make both shares 1/2, so every number is exact in binary. x = (1, 2), W = [[1/2, 1/4], [1/2,
// 1/4]], b = (1, 1): logits (2, 2), loss ln 2, gradient of the logits for target 0: (-1/2, 1/2). dW = [[-1/2,
// -1], [1/2, 1]], db = (-1/2, 1/2); with lambda = 1/4 added: [[-3/8, -15/16], [5/8, 17/16]], (-1/4, 3/4). At
// rate 1/2: W = [[11/16, 23/32], [3/16, -9/32]], b = (9/8, 5/8).
TEST_P(Template, FirstStepOfOneLayerWithDecay) {
  const model::Graph graph =
      model::Builder("one", {2}).add("score", "dense", {{"out_features", count(2)}}).finish();
  model::Recipe recipe = recipe_of(1);
  recipe.optimizer.momentum = 0.9;
  recipe.optimizer.weight_decay = 0.25;
  RunnerProcess runner(GetParam(), plan_for(graph, 1, 1));
  ASSERT_TRUE(runner.load(graph, recipe).at("ok"));
  put_parameters(runner.arena(), {{0.5F, 0.25F, 0.5F, 0.25F}, {1.0F, 1.0F}});
  ASSERT_TRUE(runner.ask("put").at("ok"));
  fill_slot(runner.arena(), 0, {1, 2}, {0});
  fill_rates(runner.arena(), {0.5});
  EXPECT_DOUBLE_EQ(train(runner, 1).at("loss").get<double>(), std::log(2.0));
  EXPECT_EQ(parameter(runner.arena(), 0), (std::vector<float>{0.6875F, 0.71875F, 0.1875F, -0.28125F}));
  EXPECT_EQ(parameter(runner.arena(), 1), (std::vector<float>{1.125F, 0.625F}));
}

// decay_bias = false spares the biases: db = (-1/2, 1/2), b = (5/4, 3/4).
TEST_P(Template, DecayCanSpareBiases) {
  const model::Graph graph =
      model::Builder("one", {2}).add("score", "dense", {{"out_features", count(2)}}).finish();
  model::Recipe recipe = recipe_of(1);
  recipe.optimizer.weight_decay = 0.25;
  recipe.optimizer.decay_bias = false;
  RunnerProcess runner(GetParam(), plan_for(graph, 1, 1));
  ASSERT_TRUE(runner.load(graph, recipe).at("ok"));
  put_parameters(runner.arena(), {{0.5F, 0.25F, 0.5F, 0.25F}, {1.0F, 1.0F}});
  ASSERT_TRUE(runner.ask("put").at("ok"));
  fill_slot(runner.arena(), 0, {1, 2}, {0});
  fill_rates(runner.arena(), {0.5});
  train(runner, 1);
  EXPECT_EQ(parameter(runner.arena(), 0), (std::vector<float>{0.6875F, 0.71875F, 0.1875F, -0.28125F}));
  EXPECT_EQ(parameter(runner.arena(), 1), (std::vector<float>{1.25F, 0.75F}));
}

// Through a relu. x = 2, W1 = (1, -1), b1 = 0: hidden (2, -2), active (2, 0). W2 = [[1/2, 3], [1, 5]], b2 =
// (1, 0): logits (2, 2), their gradient (-1/2, 1/2). dW2 = [[-1, 0], [1, 0]], db2 = (-1/2, 1/2); the gradient
// of the active units is (-1/4 + 1/2, …) = (1/4, 1), of the hidden ones (1/4, 0): dW1 = (1/2, 0), db1 = (1/4,
// 0). Rate 1.
TEST_P(Template, FirstStepThroughRelu) {
  const model::Graph graph = model::Builder("two", {1, 1, 1})
                                 .add("flat", "flatten")
                                 .add("hidden", "dense", {{"out_features", count(2)}})
                                 .add("active", "relu")
                                 .add("score", "dense", {{"out_features", count(2)}})
                                 .finish();
  RunnerProcess runner(GetParam(), plan_for(graph, 1, 1));
  ASSERT_TRUE(runner.load(graph, recipe_of(1)).at("ok"));
  put_parameters(runner.arena(), {{1, -1}, {0, 0}, {0.5F, 3, 1, 5}, {1, 0}});
  ASSERT_TRUE(runner.ask("put").at("ok"));
  fill_slot(runner.arena(), 0, {2}, {0});
  fill_rates(runner.arena(), {1.0});
  train(runner, 1);
  EXPECT_EQ(parameter(runner.arena(), 0), (std::vector<float>{0.5F, -1}));
  EXPECT_EQ(parameter(runner.arena(), 1), (std::vector<float>{-0.25F, 0}));
  EXPECT_EQ(parameter(runner.arena(), 2), (std::vector<float>{1.5F, 3, 0, 5}));
  EXPECT_EQ(parameter(runner.arena(), 3), (std::vector<float>{1.5F, -0.5F}));
}

// Zero input leaves a logistic regression on the biases alone: with p = 1 / (1 + exp(b0 - b1)) the gradient
// for target 0 is (-p, p). Two steps with momentum and a rate that changes tell the two forms of sgd apart.
double bias_after_two_steps(const std::vector<double>& rates, double momentum, bool inside) {
  double b = 0.0;  // b0 = b, b1 = -b
  double velocity = 0.0;
  for (const double rate : rates) {
    const double gradient = -1.0 / (1.0 + std::exp(2.0 * b));
    velocity = momentum * velocity + (inside ? rate * gradient : gradient);
    b -= inside ? velocity : rate * velocity;
  }
  return b;
}

TEST_P(Template, BothFormsOfSgdUnderAChangingRate) {
  const model::Graph graph =
      model::Builder("one", {1}).add("score", "dense", {{"out_features", count(2)}}).finish();
  const std::vector<double> rates = {0.5, 0.125};
  for (const bool inside : {false, true}) {
    model::Recipe recipe = recipe_of(1);
    recipe.optimizer.momentum = 0.75;
    recipe.optimizer.form = inside ? model::SgdForm::rate_inside : model::SgdForm::rate_outside;
    RunnerProcess runner(GetParam(), plan_for(graph, 1, 1));
    ASSERT_TRUE(runner.load(graph, recipe).at("ok"));
    put_parameters(runner.arena(), {{1, 1}, {0, 0}});
    ASSERT_TRUE(runner.ask("put").at("ok"));
    fill_slot(runner.arena(), 0, {0}, {0});
    fill_rates(runner.arena(), rates);
    train(runner, 2);
    const auto expected = static_cast<float>(bias_after_two_steps(rates, 0.75, inside));
    EXPECT_THAT(parameter(runner.arena(), 1),
                ElementsAre(FloatNear(expected, 1e-6F), FloatNear(-expected, 1e-6F)));
  }
}

// `put` starts optimizer state anew: the same chunk from the same weights gives the same bits, momentum or
// not.
TEST_P(Template, PutForgetsMomentum) {
  const model::Graph graph =
      model::Builder("one", {2}).add("score", "dense", {{"out_features", count(3)}}).finish();
  model::Recipe recipe = recipe_of(2);
  recipe.optimizer.momentum = 0.9;
  RunnerProcess runner(GetParam(), plan_for(graph, 1, 2));
  ASSERT_TRUE(runner.load(graph, recipe).at("ok"));
  fill_slot(runner.arena(), 0, {1, 2, -1, 0.5F}, {0, 2});
  fill_rates(runner.arena(), std::vector<double>(5, 0.3));
  put_parameters(runner.arena(), {{0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F}, {0, 0, 0}});
  std::vector<std::vector<float>> results;
  for (int repeat = 0; repeat < 2; ++repeat) {
    ASSERT_TRUE(runner.ask("put").at("ok"));
    train(runner, 5);
    results.push_back(parameter(runner.arena(), 0));
  }
  EXPECT_EQ(results[0], results[1]);
}

// The mean is over the rows present: two equal rows give the gradient of one.
TEST_P(Template, PartialBatchIsAMeanOverItsRows) {
  const model::Graph graph =
      model::Builder("one", {2}).add("score", "dense", {{"out_features", count(2)}}).finish();
  RunnerProcess runner(GetParam(), plan_for(graph, 1, 2));
  ASSERT_TRUE(runner.load(graph, recipe_of(2)).at("ok"));
  put_parameters(runner.arena(), {{0.5F, 0.25F, 0.5F, 0.25F}, {1.0F, 1.0F}});
  fill_rates(runner.arena(), {0.5});
  fill_slot(runner.arena(), 0, {1, 2, 1, 2}, {0, 0});
  ASSERT_TRUE(runner.ask("put").at("ok"));
  const double full = train(runner, 1).at("loss").get<double>();
  const std::vector<float> full_weights = parameter(runner.arena(), 0);
  fill_slot(runner.arena(), 0, {1, 2}, {0});
  ASSERT_TRUE(runner.ask("put").at("ok"));
  EXPECT_DOUBLE_EQ(train(runner, 1).at("loss").get<double>(), full);
  EXPECT_EQ(parameter(runner.arena(), 0), full_weights);
}

// Exclusive or: not separable by one layer, so the hidden one has to learn.
TEST_P(Template, LossGoesDownOnExclusiveOr) {
  const model::Graph graph = model::Builder("xor", {2})
                                 .add("hidden", "dense", {{"out_features", count(4)}})
                                 .add("active", "relu")
                                 .add("score", "dense", {{"out_features", count(2)}})
                                 .finish();
  model::Recipe recipe = recipe_of(4);
  recipe.optimizer.momentum = 0.9;
  RunnerProcess runner(GetParam(), plan_for(graph, 1, 4));
  ASSERT_TRUE(runner.load(graph, recipe).at("ok"));
  put_parameters(runner.arena(), {{0.9F, 0.8F, -0.7F, 0.9F, 0.8F, -0.9F, -0.6F, -0.7F},
                                  {0.1F, 0.1F, 0.1F, 0.1F},
                                  {0.3F, -0.2F, 0.4F, -0.5F, -0.3F, 0.4F, -0.2F, 0.5F},
                                  {0, 0}});
  ASSERT_TRUE(runner.ask("put").at("ok"));
  fill_slot(runner.arena(), 0, {0, 0, 0, 1, 1, 0, 1, 1}, {0, 1, 1, 0});
  fill_rates(runner.arena(), std::vector<double>(64, 0.2));
  const double first = (train(runner, 1), runner.arena().records()[0].loss);
  double last = first;
  for (int chunk = 0; chunk < 5; ++chunk) {
    last = train(runner, 64).at("loss").get<double>();
  }
  EXPECT_GT(first, 0.5);
  EXPECT_LT(last, 0.05);
}

INSTANTIATE_TEST_SUITE_P(Runners, Template, testing::ValuesIn(template_runners()), test_name);

}  // namespace
}  // namespace dlbench::runner_sdk_test
