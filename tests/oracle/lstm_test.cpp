#include <gtest/gtest.h>

#include <cmath>

#include "model/builder.hpp"
#include "oracle/operators.hpp"
#include "oracle/support.hpp"

namespace dlbench::oracle {
namespace {

using model::count;
using testing::NodeCase;

model::Graph one_unit(bool last_only) {
  model::Builder builder("n", {2, 1});
  builder.add("memory", "lstm", {{"hidden", count(1)}, {"last_only", last_only}});
  return builder.add("flat", "flatten").add("score", "dense", {{"out_features", count(2)}}).finish();
}

// One unit that sees only its biases, in the order i, f, g, o.
class LstmTest : public ::testing::Test {
 protected:
  LstmTest() {
    for (Array<double>& parameter : node_.parameters) {
      std::ranges::fill(parameter.values, 0.0);
    }
  }

  std::vector<double> output(std::vector<double> biases) {
    node_.parameters[2].values = std::move(biases);
    return node_.op().forward(node_.view()).values;
  }

  model::Graph graph_ = one_unit(false);
  NodeCase<double> node_{graph_, 0, 1, 1};
};

// g = 1/2 and all other gates 1/2: c = 1/4, then 1/2 · 1/4 + 1/4 = 3/8.
TEST_F(LstmTest, ForgetsAHalfAndAddsAHalf) {
  const std::vector<double> h = output({0, 0, std::atanh(0.5), 0});
  EXPECT_DOUBLE_EQ(h[0], 0.5 * std::tanh(0.25));
  EXPECT_DOUBLE_EQ(h[1], 0.5 * std::tanh(0.375));
}

// i = 1, f = 0: each cell is g alone. o = 1 and f = 1: cells add up.
TEST_F(LstmTest, GatesStandInTheirOrder) {
  const std::vector<double> forgets = output({100, -100, std::atanh(0.5), 0});
  EXPECT_DOUBLE_EQ(forgets[0], 0.5 * std::tanh(0.5));
  EXPECT_DOUBLE_EQ(forgets[1], 0.5 * std::tanh(0.5));
  const std::vector<double> keeps = output({100, 100, std::atanh(0.5), 100});
  EXPECT_DOUBLE_EQ(keeps[0], std::tanh(0.5));
  EXPECT_DOUBLE_EQ(keeps[1], std::tanh(1.0));
}

// g of the second position is tanh(h of the first).
TEST_F(LstmTest, ReadsItsOwnLastOutput) {
  node_.parameters[1].values = {0, 0, 1, 0};
  const std::vector<double> h = output({100, -100, 0.25, 100});
  EXPECT_DOUBLE_EQ(h[0], std::tanh(std::tanh(0.25)));
  EXPECT_DOUBLE_EQ(h[1], std::tanh(std::tanh(0.25 + h[0])));
}

TEST_F(LstmTest, TheLastPositionAlone) {
  const model::Graph graph = one_unit(true);
  NodeCase<double> last(graph, 0, 1, 1);
  last.parameters = node_.parameters;
  last.parameters[2].values = {0, 0, std::atanh(0.5), 0};
  const Array<double> h = last.op().forward(last.view());
  EXPECT_EQ(h.shape, (model::Shape{1, 1}));
  EXPECT_DOUBLE_EQ(h.values[0], 0.5 * std::tanh(0.375));
}

// f = σ(0 + 1) where both others are 1/2.
TEST_F(LstmTest, FaultsAreWhatTheirNamesSay) {
  node_.arithmetic.forget_bias = 1.0;
  const double forget = 1.0 / (1.0 + std::exp(-1.0));
  const std::vector<double> h = output({0, 0, std::atanh(0.5), 0});
  EXPECT_DOUBLE_EQ(h[1], 0.5 * std::tanh(forget * 0.25 + 0.25));
  node_.arithmetic.forget_bias = 0.0;
  const Array<double> dy = testing::array<double>({1, 2, 1}, {0.5, -2.0});
  const std::vector<Array<double>> once = node_.op().parameter_gradients(node_.view(), dy);
  node_.arithmetic.double_bias = true;
  const std::vector<Array<double>> twice = node_.op().parameter_gradients(node_.view(), dy);
  EXPECT_EQ(twice[0].values, once[0].values);
  EXPECT_EQ(twice[1].values, once[1].values);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(twice[2].values[i], 2.0 * once[2].values[i]);
  }
  EXPECT_NE(once[2].values[2], 0.0);
}

// Rows 2, 0, 2 of W; row 2 is read twice, so its gradients add up, and row 1 is never read.
TEST(Embedding, ReadsRowsAndAddsTheirGradients) {
  const model::Graph graph =
      model::Builder("n", {3}, 3)
          .add("words", "embedding", {{"vocabulary", count(3)}, {"features", count(2)}})
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(2)}})
          .finish();
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {2, 0, 2};
  node.parameters[0].values = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(node.op().forward(node.view()).values, (std::vector<double>{5, 6, 1, 2, 5, 6}));
  const Array<double> dy = testing::array<double>({1, 3, 2}, {1, 10, 100, 1000, 2, 20});
  EXPECT_EQ(node.op().parameter_gradients(node.view(), dy)[0].values,
            (std::vector<double>{100, 1000, 0, 0, 3, 30}));
}

// ln(1 + e^x) − x t: at x = 0 ln 2 for both targets, at ±800 0 or 800; slopes σ(x) − t, halved by the mean of
// two.
TEST(BinaryCrossEntropy, KnownValues) {
  const model::Graph graph = model::Builder("n", {1}).finish("binary_cross_entropy");
  NodeCase<double> node(graph, 0, 2, 1);
  const auto loss = [&](std::vector<double> logits, std::vector<std::int64_t> target) {
    node.input.values = std::move(logits);
    node.target = std::move(target);
    return node.op().forward(node.view()).values[0];
  };
  EXPECT_DOUBLE_EQ(loss({0, 0}, {0, 1}), std::log(2.0));
  EXPECT_DOUBLE_EQ(loss({800, -800}, {0, 1}), 800.0);
  EXPECT_DOUBLE_EQ(loss({800, -800}, {1, 0}), 0.0);
  loss({0, 800}, {1, 0});
  const Array<double> one = testing::array<double>({}, {1.0});
  EXPECT_EQ(node.op().input_gradients(node.view(), one)[0].values, (std::vector<double>{-0.25, 0.5}));
}

}  // namespace
}  // namespace dlbench::oracle
