// dense, relu, flatten and softmax_cross_entropy on numbers worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "model/builder.hpp"
#include "oracle/operators.hpp"
#include "oracle/support.hpp"

namespace dlbench::oracle {
namespace {

using model::count;
using testing::array;
using testing::NodeCase;

// x = (1 2), W = (1 10; 100 1000; 0 1), b = (1 2 3): y = (1+20+1, 100+2000+2, 2+3).
TEST(DenseTest, MultipliesByTheTransposedWeights) {
  const model::Graph graph =
      model::Builder("d", {2}).add("score", "dense", {{"out_features", count(3)}}).finish();
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {1, 2};
  node.parameters[0].values = {1, 10, 100, 1000, 0, 1};
  node.parameters[1].values = {1, 2, 3};
  EXPECT_EQ(node.op().forward(node.view()).values, (std::vector<double>{22, 2102, 5}));
  const Array<double> dy = array<double>({1, 3}, {1, 2, 3});
  // dx = dy W = (1+200, 10+2000+3); dW = dyᵀ x; db = dy.
  EXPECT_EQ(node.op().input_gradients(node.view(), dy)[0].values, (std::vector<double>{201, 2013}));
  const std::vector<Array<double>> gradients = node.op().parameter_gradients(node.view(), dy);
  EXPECT_EQ(gradients[0].values, (std::vector<double>{1, 2, 2, 4, 3, 6}));
  EXPECT_EQ(gradients[1].values, (std::vector<double>{1, 2, 3}));
}

TEST(ReluTest, DerivativeAtZeroIsZero) {
  const model::Graph graph = model::Builder("r", {4})
                                 .add("active", "relu")
                                 .add("score", "dense", {{"out_features", count(2)}})
                                 .finish();
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {-2, 0, 3, -0.0};
  EXPECT_EQ(node.op().forward(node.view()).values, (std::vector<double>{0, 0, 3, 0}));
  const Array<double> dy = array<double>({1, 4}, {5, 6, 7, 8});
  EXPECT_EQ(node.op().input_gradients(node.view(), dy)[0].values, (std::vector<double>{0, 0, 7, 0}));
  Margins margins{.cutoff = 1.0};
  node.op().margins(node.view(), 3.0, margins);
  EXPECT_EQ(margins.relu, (std::vector<Margin>{{2.0 / 3.0, 0}, {0, 0}, {0, 0}}))
      << "3 of 3 is no nearer than 1";

  node.input.values[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(node.op().forward(node.view()).values[1]));
}

// Largest 3, margin 1e-6: inputs nearer to zero than 3e-6 may be taken for the other side, but an exact zero
// is one.
TEST(ReluTest, NearTiesAreTakenEitherWay) {
  const model::Graph graph = model::Builder("r", {5})
                                 .add("active", "relu")
                                 .add("score", "dense", {{"out_features", count(2)}})
                                 .finish();
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {3, 2e-6, -2e-6, 4e-6, 0};
  node.arithmetic.rounding.relu_margin = 1e-6;
  const Array<double> dy = array<double>({1, 5}, {1, 1, 1, 1, 1});
  std::vector<double> sums(5);
  constexpr int evaluations = 600;
  for (int i = 0; i < evaluations; ++i) {
    node.arithmetic.rounding.variation = static_cast<std::uint64_t>(i);
    const std::vector<double> gradient = node.op().input_gradients(node.view(), dy)[0].values;
    EXPECT_EQ(gradient, node.op().input_gradients(node.view(), dy)[0].values) << "the same when repeated";
    std::ranges::transform(sums, gradient, sums.begin(), std::plus<>());
  }
  EXPECT_EQ(sums[0], evaluations);
  EXPECT_EQ(sums[3], evaluations) << "just beyond the margin";
  EXPECT_EQ(sums[4], 0.0);
  // A sixth of 600 is 100, and five sigma are 46.
  EXPECT_NEAR(sums[1], 500, 46);
  EXPECT_NEAR(sums[2], 100, 46);
}

TEST(FlattenTest, KeepsTheOrder) {
  const model::Graph graph = model::Builder("f", {2, 1, 2})
                                 .add("flat", "flatten")
                                 .add("score", "dense", {{"out_features", count(2)}})
                                 .finish();
  NodeCase<double> node(graph, 0, 2, 1);
  const Array<double> output = node.op().forward(node.view());
  EXPECT_EQ(output.shape, (model::Shape{2, 4}));
  EXPECT_EQ(output.values, node.input.values);
}

class SoftmaxCrossEntropyTest : public ::testing::Test {
 protected:
  // Logits of two rows and two classes.
  template <typename T>
  static NodeCase<T> loss_of(const model::Graph& graph, std::vector<T> logits,
                             std::vector<std::int64_t> target) {
    NodeCase<T> node(graph, 1, static_cast<std::int64_t>(target.size()), 1);
    node.input.values = std::move(logits);
    node.target = std::move(target);
    return node;
  }
  const model::Graph graph_ =
      model::Builder("s", {3}).add("score", "dense", {{"out_features", count(2)}}).finish();
};

// Row 1: logits (ln 3, 0): softmax (3/4, 1/4), target 0: -ln(3/4). Row 2: (0, 0): softmax (1/2, 1/2): ln 2.
// Mean loss (ln(4/3) + ln 2) / 2; gradient (p - 1_target) / 2.
TEST_F(SoftmaxCrossEntropyTest, IsAMeanOfNaturalLogarithms) {
  NodeCase<double> node = loss_of<double>(graph_, {std::log(3.0), 0, 0, 0}, {0, 1});
  EXPECT_NEAR(node.op().forward(node.view()).values[0], (std::log(4.0 / 3.0) + std::log(2.0)) / 2.0, 1e-15);
  const Array<double> one = array<double>({}, {1});
  const std::vector<double> expected = {-0.125, 0.125, 0.25, -0.25};
  EXPECT_LT(testing::relative_error(node.op().input_gradients(node.view(), one)[0].values, expected), 1e-15);
}

// exp(10000) overflows; the loss is 0 where the target wins and 20000 where it loses.
TEST_F(SoftmaxCrossEntropyTest, DoesNotOverflow) {
  NodeCase<float> node = loss_of<float>(graph_, {10000, -10000, 10000, -10000}, {0, 1});
  EXPECT_EQ(node.op().forward(node.view()).values[0], 10000.0F);
  const Array<float> one = array<float>({}, {1});
  EXPECT_EQ(node.op().input_gradients(node.view(), one)[0].values, (std::vector<float>{0, 0, 0.5F, -0.5F}));
}

TEST_F(SoftmaxCrossEntropyTest, DivergedLogitsGiveNoFiniteLoss) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  NodeCase<double> node = loss_of<double>(graph_, {1, nan, 0, 0}, {0, 1});
  EXPECT_TRUE(std::isnan(node.op().forward(node.view()).values[0]));
}

}  // namespace
}  // namespace dlbench::oracle
