// avg_pool and global_avg_pool on numbers worked out by hand.
#include <gtest/gtest.h>

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

struct Pooling {
  model::Shape pads = {0, 0, 0, 0};
  bool ceil_mode = false;
  bool count_include_pad = true;
};

// Rows of `width` cells, windows of 1 × kernel, stride 2.
model::Graph pooling(std::int64_t width, std::int64_t kernel, const Pooling& pooling) {
  return model::Builder("pooling", {1, 1, width})
      .add("pool", "avg_pool",
           {{"kernel", extents({1, kernel})},
            {"stride", extents({1, 2})},
            {"pads", extents(pooling.pads)},
            {"ceil_mode", pooling.ceil_mode},
            {"count_include_pad", pooling.count_include_pad}})
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(2)}})
      .finish();
}

// Five cells, windows of two: floor leaves the fifth out, ceil divides it by the one cell that is there.
TEST(AvgPoolTest, OverhangNeverCounts) {
  const std::vector<double> row = {1, 3, 2, 0, 7};
  EXPECT_EQ(output_on(pooling(5, 2, {}), row), (std::vector<double>{2, 1}));
  EXPECT_EQ(output_on(pooling(5, 2, {.ceil_mode = true}), row), (std::vector<double>{2, 1, 7}));
}

// Pads of one around four cells, windows of three at -1 and 1: (pad 6 3) (3 9 12).
TEST(AvgPoolTest, PadsCountWhenAsked) {
  const model::Shape pads = {0, 1, 0, 1};
  const std::vector<double> row = {6, 3, 9, 12};
  EXPECT_EQ(output_on(pooling(4, 3, {.pads = pads}), row), (std::vector<double>{3, 8}));
  EXPECT_EQ(output_on(pooling(4, 3, {.pads = pads, .count_include_pad = false}), row),
            (std::vector<double>{4.5, 8}));
}

// The third window stands at 3: cell 12, the pad, and one cell of overhang. With pads 12/2, without 12/1.
TEST(AvgPoolTest, APadCountsAndTheOverhangBehindItDoesNot) {
  const model::Shape pads = {0, 1, 0, 1};
  const std::vector<double> row = {6, 3, 9, 12};
  EXPECT_EQ(output_on(pooling(4, 3, {.pads = pads, .ceil_mode = true}), row), (std::vector<double>{3, 8, 6}));
  EXPECT_EQ(output_on(pooling(4, 3, {.pads = pads, .ceil_mode = true, .count_include_pad = false}), row),
            (std::vector<double>{4.5, 8, 12}));
}

// Overlapping windows of three at 0 and 2 over five cells; the cell in the middle gets both shares.
TEST(AvgPoolTest, GradientsAreSharedAndAdded) {
  const model::Graph graph = pooling(5, 3, {});
  NodeCase<double> node(graph, 0, 1, 1);
  const Array<double> dy = array<double>({1, 1, 1, 2}, {3, 6});
  EXPECT_EQ(node.op().input_gradients(node.view(), dy)[0].values, (std::vector<double>{1, 1, 3, 2, 2}));
}

TEST(GlobalAvgPoolTest, IsTheMeanOfEachPlane) {
  const model::Graph graph = model::Builder("g", {2, 1, 2})
                                 .add("pool", "global_avg_pool")
                                 .add("flat", "flatten")
                                 .add("score", "dense", {{"out_features", count(2)}})
                                 .finish();
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {1, 3, 10, 20};
  const Array<double> output = node.op().forward(node.view());
  EXPECT_EQ(output.shape, (model::Shape{1, 2, 1, 1}));
  EXPECT_EQ(output.values, (std::vector<double>{2, 15}));
  const Array<double> dy = array<double>({1, 2, 1, 1}, {4, 6});
  EXPECT_EQ(node.op().input_gradients(node.view(), dy)[0].values, (std::vector<double>{2, 2, 3, 3}));
}

}  // namespace
}  // namespace dlbench::oracle
