// batch_norm on numbers worked out by hand.
#include <gtest/gtest.h>

#include "model/builder.hpp"
#include "oracle/operators.hpp"
#include "oracle/support.hpp"

namespace dlbench::oracle {
namespace {

using model::count;
using testing::NodeCase;

// One channel.
model::Graph normalised() {
  return model::Builder("n", {1})
      .add("norm", "batch_norm", {{"epsilon", 0.75}, {"momentum", 0.25}})
      .add("score", "dense", {{"out_features", count(2)}})
      .finish();
}

// Batch 1 2 3 4: mean 5/2, biased variance 5/4, so the divisor is sqrt(5/4 + 3/4) = sqrt(2).
// scale 2, shift 1; running mean 6, running variance 15.25.
class BatchNormTest : public ::testing::Test {
 protected:
  BatchNormTest() {
    node_.input.values = {1, 2, 3, 4};
    node_.parameters[0].values = {2};
    node_.parameters[1].values = {1};
    node_.parameters[2].values = {6};
    node_.parameters[3].values = {15.25};
  }

  std::vector<double> output() { return node_.op().forward(node_.view()).values; }
  // Mean and variance after a step.
  std::vector<double> statistics() {
    std::vector<Array<double>> parameters = node_.parameters;
    node_.op().update_statistics(node_.view(), parameters);
    EXPECT_EQ(parameters[0].values[0], 2.0);
    EXPECT_EQ(parameters[1].values[0], 1.0);
    return {parameters[2].values[0], parameters[3].values[0]};
  }

  model::Graph graph_ = normalised();
  NodeCase<double> node_{graph_, 0, 4, 1};
};

TEST_F(BatchNormTest, TrainingUsesTheBatch) {
  const std::vector<double> y = output();
  EXPECT_DOUBLE_EQ(y[0], 1.0 - 3.0 / std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(y[3], 1.0 + 3.0 / std::sqrt(2.0));
}

// (x - 6) / sqrt(16): -5/4 to -1/2.
TEST_F(BatchNormTest, EvaluationUsesTheRunningStatistics) {
  node_.conditions.training = false;
  EXPECT_EQ(output(), (std::vector<double>{-1.5, -1.0, -0.5, 0.0}));
  node_.arithmetic.batch_statistics_always = true;
  EXPECT_DOUBLE_EQ(output()[0], 1.0 - 3.0 / std::sqrt(2.0));
}

// Mean 3/4 · 6 + 1/4 · 5/2 = 5.125. Unbiased variance 5/3: 3/4 · 61/4 + 1/4 · 5/3; biased 5/4.
TEST_F(BatchNormTest, RunningStatisticsMoveByTheirShare) {
  EXPECT_DOUBLE_EQ(statistics()[0], 5.125);
  EXPECT_DOUBLE_EQ(statistics()[1], 11.4375 + 5.0 / 12.0);
  node_.arithmetic.biased_running_variance = true;
  EXPECT_DOUBLE_EQ(statistics()[1], 11.75);
  node_.arithmetic.statistics_frozen = true;
  EXPECT_EQ(statistics(), (std::vector<double>{6.0, 15.25}));
}

// Two channels of two cells each, two samples: channel 0 is 0 2 4 6 (mean 3), channel 1 is 1 1 1 1.
TEST(BatchNorm, SumsOverSamplesAndCellsOfAChannel) {
  const model::Graph graph = model::Builder("n", {2, 1, 2})
                                 .add("norm", "batch_norm", {{"epsilon", 1.0}})
                                 .add("flat", "flatten")
                                 .add("score", "dense", {{"out_features", count(2)}})
                                 .finish();
  NodeCase<double> node(graph, 0, 2, 1);
  node.input.values = {0, 2, 1, 1, 4, 6, 1, 1};
  node.parameters[0].values = {1, 1};
  node.parameters[1].values = {0, 10};
  const std::vector<double> y = node.op().forward(node.view()).values;
  const double divisor = std::sqrt(6.0);  // variance (9 + 1 + 1 + 9) / 4 = 5
  EXPECT_DOUBLE_EQ(y[0], -3.0 / divisor);
  EXPECT_DOUBLE_EQ(y[5], 3.0 / divisor);
  EXPECT_EQ(y[2], 10.0);
}

}  // namespace
}  // namespace dlbench::oracle
