#include "oracle/updates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "model/builder.hpp"

namespace dlbench::oracle {
namespace {

// W [2, 1] and b [2] start at zero and take one step of plain sgd at rate 1, so they show minus the gradient
// that reached the optimizer.
class UpdatesTest : public ::testing::Test {
 protected:
  std::vector<Array<double>> step(std::vector<double> weight, double bias,
                                  const Arithmetic& arithmetic = {}) {
    std::vector<Array<double>> weights = {Array<double>({2, 1}), Array<double>({2})};
    std::vector<Array<double>> gradients = weights;
    gradients[0].values = std::move(weight);
    gradients[1].values = {bias, 0};
    Products<double> products(0);
    Updates<double>(graph_, recipe_, arithmetic).apply(weights, gradients, 3, 1.0, products);
    return weights;
  }

  const model::Graph graph_ =
      model::Builder("g", {1}).add("score", "dense", {{"out_features", model::count(2)}}).finish();
  model::Recipe recipe_;
};

TEST_F(UpdatesTest, WithoutClippingTheGradientIsItself) {
  const auto moved = step({3, -4}, 12);
  EXPECT_EQ(moved[0].values, (std::vector<double>{-3, 4}));
  EXPECT_EQ(moved[1].values[0], -12);
}

TEST_F(UpdatesTest, ElementsAreCutAtTheLimit) {
  recipe_.clip = {model::ClipBy::element, 3.5};
  const auto moved = step({3, -4}, 12);
  EXPECT_EQ(moved[0].values, (std::vector<double>{-3, 3.5}));
  EXPECT_EQ(moved[1].values[0], -3.5);
}

// The norm of (3, -4, 12) is 13: a limit of 6.5 halves all three, one of 26 changes nothing.
TEST_F(UpdatesTest, TheNormOfAllParametersIsCut) {
  recipe_.clip = {model::ClipBy::global_norm, 6.5};
  const auto halved = step({3, -4}, 12);
  EXPECT_EQ(halved[0].values, (std::vector<double>{-1.5, 2}));
  EXPECT_EQ(halved[1].values[0], -6);
  recipe_.clip.limit = 26;
  EXPECT_EQ(step({3, -4}, 12)[1].values[0], -12);
}

TEST_F(UpdatesTest, NotANumberStaysVisible) {
  recipe_.clip = {model::ClipBy::element, 1.0};
  EXPECT_TRUE(std::isnan(step({NAN, 0}, 0)[0].values[0]));
  recipe_.clip.by = model::ClipBy::global_norm;
  EXPECT_TRUE(std::isnan(step({NAN, 0}, 0)[0].values[0]));
}

// A sum over three rows is three times the mean, and it is the sum that is clipped: 9 is cut, 3 is not.
TEST_F(UpdatesTest, SumsAreClippedAsSums) {
  recipe_.clip = {model::ClipBy::element, 5.0};
  Arithmetic arithmetic;
  arithmetic.sum_over_batch = true;
  EXPECT_EQ(step({1, -3}, 0, arithmetic)[0].values, (std::vector<double>{-3, 5}));
}

// Decay joins behind the clipping: 12 is cut to 1, then 1/2 · 4 is added.
TEST_F(UpdatesTest, DecayIsNotClipped) {
  recipe_.clip = {model::ClipBy::element, 1.0};
  recipe_.optimizer.weight_decay = 0.5;
  Updates<double> updates(graph_, recipe_, {});
  Array<double> bias({1});
  bias.values = {4};
  Array<double> gradient({1});
  gradient.values = {12};
  updates.apply_alone(1, bias, gradient, 1, 1.0);
  EXPECT_EQ(bias.values[0], 4.0 - 3.0);
  recipe_.clip.by = model::ClipBy::global_norm;
  Updates<double> by_norm(graph_, recipe_, {});
  EXPECT_THROW(by_norm.apply_alone(1, bias, gradient, 1, 1.0), base::Bug);
}

// Momentum 1/2: the second step moves by 1/2 + 1; after forgetting by 1 again.
TEST_F(UpdatesTest, ForgettingStartsTheStateAnew) {
  recipe_.optimizer.momentum = 0.5;
  Updates<double> updates(graph_, recipe_, {});
  Array<double> bias({1});
  Array<double> gradient({1});
  gradient.values = {1};
  updates.apply_alone(1, bias, gradient, 1, 1.0);
  updates.apply_alone(1, bias, gradient, 1, 1.0);
  EXPECT_EQ(bias.values[0], -2.5);
  updates.forget(1);
  updates.apply_alone(1, bias, gradient, 1, 1.0);
  EXPECT_EQ(bias.values[0], -3.5);
}

}  // namespace
}  // namespace dlbench::oracle
