#include <gtest/gtest.h>

#include <algorithm>

#include "model/builder.hpp"
#include "oracle/operators.hpp"
#include "oracle/support.hpp"

namespace dlbench::oracle {
namespace {

using model::count;
using testing::NodeCase;

model::Graph dropped(double rate) {
  return model::Builder("n", {1000})
      .add("drop", "dropout", {{"rate", rate}})
      .add("score", "dense", {{"out_features", count(2)}})
      .finish();
}

class DropoutTest : public ::testing::Test {
 protected:
  DropoutTest() { std::ranges::fill(node_.input.values, 3.0); }

  std::vector<double> output() { return node_.op().forward(node_.view()).values; }

  model::Graph graph_ = dropped(0.25);
  NodeCase<double> node_{graph_, 0, 4, 1};
};

// 3 / (1 - 1/4) = 4. Of 4000 elements 3000 stay, give or take 5 sqrt(4000 · 3/16) = 137.
TEST_F(DropoutTest, ScalesWhatIsKept) {
  const std::vector<double> y = output();
  const auto kept = std::ranges::count(y, 4.0);
  EXPECT_EQ(kept + std::ranges::count(y, 0.0), 4000);
  EXPECT_NEAR(static_cast<double>(kept), 3000.0, 137.0);
}

TEST_F(DropoutTest, DrawsAnewInEachStepAndRun) {
  const std::vector<double> first = output();
  EXPECT_EQ(output(), first);
  node_.conditions.step = 1;
  EXPECT_NE(output(), first);
  node_.conditions.step = 0;
  node_.arithmetic.dropping.run = 1;
  EXPECT_NE(output(), first);
  node_.arithmetic.dropping.one_mask = true;
  EXPECT_EQ(output(), first);
}

TEST_F(DropoutTest, GradientsPassTheSameMask) {
  EXPECT_EQ(node_.op().input_gradients(node_.view(), node_.input)[0].values, output());
}

TEST_F(DropoutTest, EvaluationChangesNothing) {
  node_.conditions.training = false;
  EXPECT_EQ(output(), node_.input.values);
  node_.arithmetic.dropping.in_evaluation = true;
  EXPECT_NE(output(), node_.input.values);
}

TEST_F(DropoutTest, FaultsAreWhatTheirNamesSay) {
  node_.arithmetic.dropping.never = true;
  EXPECT_EQ(output(), node_.input.values);
  node_.arithmetic.dropping = {};
  node_.arithmetic.dropping.swapped = true;
  EXPECT_NEAR(static_cast<double>(std::ranges::count(output(), 12.0)), 1000.0, 137.0);
}

TEST_F(DropoutTest, GivenFactorsReplaceTheDrawing) {
  node_.arithmetic.dropping.factors.assign(4000, 0.5);
  node_.arithmetic.dropping.factors[7] = 0.0;
  const std::vector<double> y = output();
  EXPECT_EQ(y[6], 1.5);
  EXPECT_EQ(y[7], 0.0);
}

}  // namespace
}  // namespace dlbench::oracle
