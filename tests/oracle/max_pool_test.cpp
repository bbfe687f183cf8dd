#include <gtest/gtest.h>

#include <limits>

#include "model/builder.hpp"
#include "oracle/operators.hpp"
#include "oracle/support.hpp"

namespace dlbench::oracle {
namespace {

using model::count;
using model::extents;
using testing::array;
using testing::NodeCase;
using testing::output_on;

model::Graph pooling(const model::Shape& input, const model::Shape& kernel, const model::Shape& stride,
                     const model::Shape& pads, bool ceil_mode) {
  return model::Builder("pooling", input)
      .add("pool", "max_pool",
           {{"kernel", extents(kernel)},
            {"stride", extents(stride)},
            {"pads", extents(pads)},
            {"ceil_mode", ceil_mode}})
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(2)}})
      .finish();
}

// Rows of five, windows of two: floor leaves the fifth cell out, ceil gives it a window of its own.
TEST(MaxPoolTest, FloorDropsAndCeilKeepsTheRest) {
  const std::vector<double> row = {1, 3, 2, 0, 7};
  EXPECT_EQ(output_on(pooling({1, 1, 5}, {1, 2}, {1, 2}, {0, 0, 0, 0}, false), row),
            (std::vector<double>{3, 2}));
  EXPECT_EQ(output_on(pooling({1, 1, 5}, {1, 2}, {1, 2}, {0, 0, 0, 0}, true), row),
            (std::vector<double>{3, 2, 7}));
}

// Pads 1 on both sides of four cells, windows of 2, stride 2: {pad, -1} {-5, -2} {-3, pad}.
TEST(MaxPoolTest, PaddingNeverWins) {
  EXPECT_EQ(output_on(pooling({1, 1, 4}, {1, 2}, {1, 2}, {0, 1, 0, 1}, false), {-1, -5, -2, -3}),
            (std::vector<double>{-1, -2, -3}));
}

// ceil((5 + 1 + 1 - 2) / 2) + 1 = 4 windows, but the fourth would start at cell 5, in the right pad.
TEST(MaxPoolTest, CeilDropsAWindowThatStartsInTheRightPad) {
  EXPECT_EQ(output_on(pooling({1, 1, 5}, {1, 2}, {1, 2}, {0, 1, 0, 1}, true), {1, 2, 3, 4, 5}),
            (std::vector<double>{1, 3, 5}));
}

// Windows {0 0} {0 -1} {2 2} {3 1}: the first is what a relu leaves, no rounding can decide it; the tie of
// twos may be one of rounding. Largest value 3.
TEST(MaxPoolTest, ZerosThatTieAreNoMargin) {
  const model::Graph graph = pooling({1, 1, 8}, {1, 2}, {1, 2}, {0, 0, 0, 0}, false);
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {0, 0, 0, -1, 2, 2, 3, 1};
  Margins margins{.cutoff = 1.0};
  node.op().margins(node.view(), 3.0, margins);
  EXPECT_EQ(margins.pool, (std::vector<Margin>{{1.0 / 3.0, 0}, {0.0, 0}, {2.0 / 3.0, 0}}));
}

// Windows {4 4-2e-6} {3 1} {2 2}: in the first either cell may win; what is far is decided, and so is an
// exact tie.
TEST(MaxPoolTest, NearTiesAreTakenEitherWay) {
  const model::Graph graph = pooling({1, 1, 6}, {1, 2}, {1, 2}, {0, 0, 0, 0}, false);
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {4, 4 - 2e-6, 3, 1, 2, 2};
  node.arithmetic.rounding.pool_margin = 1e-6;
  const Array<double> dy = array<double>({1, 1, 1, 3}, {1, 1, 1});
  int first = 0;
  constexpr int evaluations = 400;
  for (int i = 0; i < evaluations; ++i) {
    node.arithmetic.rounding.variation = static_cast<std::uint64_t>(i);
    const std::vector<double> gradient = node.op().input_gradients(node.view(), dy)[0].values;
    EXPECT_EQ(gradient[0] + gradient[1], 1.0);
    first += gradient[0] == 1.0 ? 1 : 0;
    EXPECT_EQ((std::vector<double>{gradient[2], gradient[3], gradient[4], gradient[5]}),
              (std::vector<double>{1, 0, 1, 0}));
  }
  EXPECT_NEAR(first, 300, 44) << "five sigma";
}

TEST(MaxPoolTest, WindowsAreHeightByWidthOfEachPlane) {
  // Planes 2 × 4, windows 2 × 2.
  EXPECT_EQ(output_on(pooling({2, 2, 4}, {2, 2}, {2, 2}, {0, 0, 0, 0}, false),
                      {1, 2, 3, 4, 8, 7, 6, 5, -1, -2, -3, -4, -8, -7, -6, -5}),
            (std::vector<double>{8, 6, -1, -3}));
}

// Overlapping windows of three, stride 2, over 4 4 1 4 4: both tied; the shared cell 1 never wins.
TEST(MaxPoolTest, TiesGoToTheFirstMaximumUnlessAllAreAsked) {
  const model::Graph graph = pooling({1, 1, 5}, {1, 3}, {1, 2}, {0, 0, 0, 0}, false);
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {4, 4, 1, 4, 4};
  const Array<double> dy = array<double>({1, 1, 1, 2}, {10, 1});
  EXPECT_EQ(node.op().input_gradients(node.view(), dy)[0].values, (std::vector<double>{10, 0, 0, 1, 0}));
  node.arithmetic.ties_all = true;
  EXPECT_EQ(node.op().input_gradients(node.view(), dy)[0].values, (std::vector<double>{10, 10, 0, 1, 1}));
}

// 4 less one and less three round-offs are ties that a matrix product broke; less forty is another value.
// Only a tie that is asked for counts so: alone, the maximum takes all.
TEST(MaxPoolTest, TiesThatRoundingBrokeAreTies) {
  const model::Graph graph = pooling({1, 1, 4}, {1, 4}, {1, 4}, {0, 0, 0, 0}, false);
  NodeCase<float> node(graph, 0, 1, 1);
  const float round_off = 4.0F * std::numeric_limits<float>::epsilon() / 2.0F;
  node.input.values = {4.0F - 40.0F * round_off, 4.0F - 3.0F * round_off, 4.0F, 4.0F - round_off};
  const Array<float> dy = array<float>({1, 1, 1, 1}, {1});
  EXPECT_EQ(node.op().input_gradients(node.view(), dy)[0].values, (std::vector<float>{0, 0, 1, 0}));
  node.arithmetic.ties_all = true;
  EXPECT_EQ(node.op().input_gradients(node.view(), dy)[0].values, (std::vector<float>{0, 1, 1, 1}));
}

TEST(MaxPoolTest, FirstMeansRowMajor) {
  const model::Graph graph = pooling({1, 2, 2}, {2, 2}, {2, 2}, {0, 0, 0, 0}, false);
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {0, 5, 5, 1};
  const Array<double> dy = array<double>({1, 1, 1, 1}, {1});
  EXPECT_EQ(node.op().input_gradients(node.view(), dy)[0].values, (std::vector<double>{0, 1, 0, 0}));
}

TEST(MaxPoolTest, OverlappingWindowsAddTheirGradients) {
  const model::Graph graph = pooling({1, 1, 5}, {1, 3}, {1, 2}, {0, 0, 0, 0}, false);
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {1, 2, 9, 3, 4};
  const Array<double> dy = array<double>({1, 1, 1, 2}, {10, 1});
  EXPECT_EQ(node.op().input_gradients(node.view(), dy)[0].values, (std::vector<double>{0, 0, 11, 0, 0}));
}

TEST(MaxPoolTest, NotANumberStaysVisible) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const model::Graph graph = pooling({1, 1, 4}, {1, 2}, {1, 2}, {0, 0, 0, 0}, false);
  const std::vector<double> result = output_on(graph, {1, nan, 2, 3});
  EXPECT_TRUE(std::isnan(result[0]));
  EXPECT_EQ(result[1], 3);
}

// Windows {8, 6} and {-4, -5} of the first sample, {1, 1.5} and {0, 2} of the second; the single cells have
// no runner-up. They are 2, 1, 0.5 and 2 apart, a quarter of that beside a magnitude of 16; 0.5 and more is
// not listed.
TEST(MaxPoolTest, MarginsNameTheirRow) {
  const model::Graph graph = pooling({1, 1, 5}, {1, 2}, {1, 2}, {0, 0, 0, 0}, true);
  NodeCase<double> node(graph, 0, 2, 1);
  node.input.values = {8, 6, -4, -5, 3, 1, 1.5, 0, 2, 7};
  Margins margins{.cutoff = 0.5};
  node.op().margins(node.view(), 4.0, margins);
  EXPECT_EQ(margins.pool, (std::vector<Margin>{{0.25, 0}, {0.125, 1}}));
  margins.pool.clear();
  node.op().margins(node.view(), 16.0, margins);
  EXPECT_EQ(margins.pool, (std::vector<Margin>{{0.125, 0}, {0.0625, 0}, {0.03125, 1}, {0.125, 1}}));
  EXPECT_TRUE(margins.relu.empty());
}

}  // namespace
}  // namespace dlbench::oracle
