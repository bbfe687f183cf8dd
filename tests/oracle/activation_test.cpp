// sigmoid, tanh and softmax on numbers worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/builder.hpp"
#include "oracle/operators.hpp"
#include "oracle/support.hpp"

namespace dlbench::oracle {
namespace {

using model::count;
using testing::array;
using testing::NodeCase;

model::Graph active(const std::string& op, std::int64_t width) {
  return model::Builder("a", {width})
      .add("active", op)
      .add("score", "dense", {{"out_features", count(2)}})
      .finish();
}

// x = ln 3: 1/(1 + 1/3) = 3/4, derivative 3/4 · 1/4.
TEST(SigmoidTest, ValuesAndDerivative) {
  const model::Graph graph = active("sigmoid", 3);
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {0, std::log(3.0), -std::log(3.0)};
  const std::vector<double> y = node.op().forward(node.view()).values;
  EXPECT_DOUBLE_EQ(y[0], 0.5);
  EXPECT_DOUBLE_EQ(y[1], 0.75);
  EXPECT_DOUBLE_EQ(y[2], 0.25);
  const Array<double> dy = array<double>({1, 3}, {4, 16, 32});
  const std::vector<double> dx = node.op().input_gradients(node.view(), dy)[0].values;
  EXPECT_DOUBLE_EQ(dx[0], 1.0);
  EXPECT_DOUBLE_EQ(dx[1], 3.0);
  EXPECT_DOUBLE_EQ(dx[2], 6.0);
}

TEST(SigmoidTest, DoesNotOverflowAndKeepsNan) {
  const model::Graph graph = active("sigmoid", 3);
  NodeCase<float> node(graph, 0, 1, 1);
  node.input.values = {-1000, 1000, std::numeric_limits<float>::quiet_NaN()};
  const std::vector<float> y = node.op().forward(node.view()).values;
  EXPECT_EQ(y[0], 0.0F);
  EXPECT_EQ(y[1], 1.0F);
  EXPECT_TRUE(std::isnan(y[2]));
}

// x = ln 2: (2 - 1/2) / (2 + 1/2) = 3/5, derivative 1 - 9/25.
TEST(TanhTest, ValuesAndDerivative) {
  const model::Graph graph = active("tanh", 2);
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {0, std::log(2.0)};
  const std::vector<double> y = node.op().forward(node.view()).values;
  EXPECT_DOUBLE_EQ(y[0], 0.0);
  EXPECT_DOUBLE_EQ(y[1], 0.6);
  const Array<double> dy = array<double>({1, 2}, {5, 25});
  const std::vector<double> dx = node.op().input_gradients(node.view(), dy)[0].values;
  EXPECT_DOUBLE_EQ(dx[0], 5.0);
  EXPECT_DOUBLE_EQ(dx[1], 16.0);
}

// Row (ln 1, ln 3): shares 1/4 and 3/4. Second row shifted by 1000: the same, nothing overflows.
// dx = y (dy - Σ y dy): for dy = (4, 8) the mean is 1 + 6 = 7, dx = (1/4 · -3, 3/4 · 1).
TEST(SoftmaxTest, SharesOfEachRow) {
  const model::Graph graph = active("softmax", 2);
  NodeCase<double> node(graph, 0, 2, 1);
  node.input.values = {0, std::log(3.0), 1000, 1000 + std::log(3.0)};
  const std::vector<double> y = node.op().forward(node.view()).values;
  for (std::size_t row = 0; row < 2; ++row) {
    EXPECT_NEAR(y[2 * row], 0.25, 1e-13);
    EXPECT_NEAR(y[2 * row + 1], 0.75, 1e-13);
  }
  const Array<double> dy = array<double>({2, 2}, {4, 8, 0, 0});
  const std::vector<double> dx = node.op().input_gradients(node.view(), dy)[0].values;
  EXPECT_NEAR(dx[0], -0.75, 1e-13);
  EXPECT_NEAR(dx[1], 0.75, 1e-13);
  EXPECT_EQ(dx[2], 0.0);
}

}  // namespace
}  // namespace dlbench::oracle
