// lrn on numbers worked out by hand.
#include <gtest/gtest.h>

#include "model/builder.hpp"
#include "oracle/operators.hpp"
#include "oracle/support.hpp"

namespace dlbench::oracle {
namespace {

using model::count;
using testing::array;
using testing::NodeCase;

// Four channels of two cells.
model::Graph normalised(std::int64_t size, double alpha, double beta, double k) {
  return model::Builder("n", {4, 1, 2})
      .add("norm", "lrn", {{"size", count(size)}, {"alpha", alpha}, {"beta", beta}, {"k", k}})
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(2)}})
      .finish();
}

// Channels 1 2 0 3 at the first place, zeros at the second; sums of three squares: 5 5 13 9. With alpha 2 and
// k 1: 11 11 27 19. Divided by size alpha would give 1 + 10/3 instead of 11.
TEST(LrnTest, SumsSquaresOfNeighbouringChannels) {
  const model::Graph graph = normalised(3, 2.0, 1.0, 1.0);
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {1, 0, 2, 0, 0, 0, 3, 0};
  const std::vector<double> y = node.op().forward(node.view()).values;
  EXPECT_DOUBLE_EQ(y[0], 1.0 / 11.0);
  EXPECT_DOUBLE_EQ(y[2], 2.0 / 11.0);
  EXPECT_DOUBLE_EQ(y[4], 0.0);
  EXPECT_DOUBLE_EQ(y[6], 3.0 / 19.0);
  for (const std::size_t empty : {1U, 3U, 5U, 7U}) {
    EXPECT_EQ(y[empty], 0.0);
  }
}

// One channel alone, beta 1/2, k 9, alpha 4: x = 2 gives 2 / sqrt(9 + 16) = 2/5;
// dy/dx = 1/5 - 4 · 4 / 125 = 9/125.
TEST(LrnTest, ExponentAndDerivative) {
  const model::Graph graph = normalised(1, 4.0, 0.5, 9.0);
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {2, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_DOUBLE_EQ(node.op().forward(node.view()).values[0], 0.4);
  const Array<double> dy = array<double>({1, 4, 1, 2}, {1, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_NEAR(node.op().input_gradients(node.view(), dy)[0].values[0], 9.0 / 125.0, 1e-16);
}

}  // namespace
}  // namespace dlbench::oracle
