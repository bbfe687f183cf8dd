// Known windows, worked out by hand.
#include "model/windows.hpp"

#include <gtest/gtest.h>

#include "model/builder.hpp"

namespace dlbench::model {
namespace {

using Extents = Windows::Extents;

// Of the only node of its kind in a network; pads are [top, left, bottom, right].
Windows windows_of(const Shape& input, const std::string& op, Attributes attributes) {
  const Graph graph = Builder("g", input)
                          .add("node", op, std::move(attributes))
                          .add("flat", "flatten")
                          .add("score", "dense", {{"out_features", count(2)}})
                          .finish();
  return {graph.nodes.front(), input};
}

Windows pool_of(const Shape& input, const Extents& kernel, const Extents& stride, const Extents& pads) {
  return windows_of(input, "avg_pool", {{"kernel", kernel}, {"stride", stride}, {"pads", pads}});
}

// 6 cells in windows of 3 at stride 2, rounded up: (6 - 3) / 2 = 1.5, so 3 windows from 0, 2, 4; the last
// reads cells 4, 5 and one behind. Even pads of 0 give 2 windows only.
TEST(Windows, RoundingUpPadsBehind) {
  const Windows windows = windows_of(
      {1, 6, 6}, "avg_pool", {{"kernel", extents({3, 3})}, {"stride", extents({2, 2})}, {"ceil_mode", true}});
  EXPECT_EQ(windows.pads(), (Extents{0, 0, 1, 1}));
  EXPECT_TRUE(windows.is_padded());
  EXPECT_TRUE(windows.are_rounded_up());
  EXPECT_FALSE(windows.even_pads().has_value());
  // SAME: ceil(6 / 2) = 3 windows, (3 - 1) · 2 + 3 - 6 = 1 cell, behind.
  EXPECT_TRUE(windows.are_same());
  EXPECT_EQ(windows.counts(false), (Extents{9, 9, 6, 9, 9, 6, 6, 6, 4}));
  EXPECT_EQ(windows.counts(true), windows.counts(false)) << "the cell behind is none of the graph's pads";
  EXPECT_EQ(windows.factors(false)[2], 1.5F);
}

// Pads of 1 and 1 on 4 rows with windows of 3 at stride 1: 4 windows that even pads make; the graph's pads
// count where it says so. Columns have 5 cells, a pad of 1 in front that is read and one of 1 behind that is
// not: (5 + 2 - 2) / 2 + 1 = 3 windows from -1, 1, 3, the last ends at 5.
TEST(Windows, PadsThatNoWindowReadsAreDropped) {
  const Windows windows = pool_of({1, 4, 5}, {3, 2}, {1, 2}, {1, 1, 1, 1});
  EXPECT_EQ(windows.pads(), (Extents{1, 1, 1, 0}));
  EXPECT_EQ(windows.even_pads(), (Extents{1, 1}));
  EXPECT_FALSE(windows.are_same()) << "SAME puts the odd pad behind";
  EXPECT_FALSE(windows.are_rounded_up());
  EXPECT_EQ(windows.counts(false), (Extents{2, 4, 4, 3, 6, 6, 3, 6, 6, 2, 4, 4}));
  EXPECT_EQ(windows.counts(true), Extents(12, 6));
  EXPECT_EQ(windows.factors(true), std::vector<float>(12, 1.0F));
}

// Windows of 2 at 0 and 3 of 7 cells: cells 5 and 6 are read by none. Rounded up, and with SAME, there is a
// third from 6 on.
TEST(Windows, CellsThatNoWindowReadsNeedNoPad) {
  const Windows windows = pool_of({1, 7, 7}, {2, 2}, {3, 3}, {0, 0, 0, 0});
  EXPECT_EQ(windows.pads(), (Extents{0, 0, 0, 0}));
  EXPECT_FALSE(windows.is_padded());
  EXPECT_FALSE(windows.are_rounded_up());
  EXPECT_FALSE(windows.are_same());
  EXPECT_EQ(windows.counts(true), Extents(4, 4));
}

// 4 cells and one behind. At stride 2 the windows of 2 are at 0 and 2 and end before it; at stride 1 they are
// at 0, 1, 2 and 3, where the last reads it, and without it there are 3.
TEST(Windows, PadsBehindAreNoEvenPads) {
  const Windows apart = pool_of({1, 4, 4}, {2, 2}, {2, 2}, {0, 0, 1, 1});
  EXPECT_FALSE(apart.is_padded());
  EXPECT_FALSE(apart.are_rounded_up()) << "rounding up makes them, but not from the graph's pads";
  EXPECT_EQ(apart.even_pads(), (Extents{0, 0}));
  const Windows close = pool_of({1, 1, 4}, {1, 2}, {1, 1}, {0, 0, 0, 1});
  EXPECT_EQ(close.pads(), (Extents{0, 0, 0, 1}));
  EXPECT_FALSE(close.even_pads().has_value());
  EXPECT_TRUE(close.are_same());
  EXPECT_EQ(close.counts(false), (Extents{2, 2, 2, 1}));
  EXPECT_EQ(close.counts(true), Extents(4, 2));
}

// Rows: one each. Columns: windows of 3 at -1, 0 and 1 of 3 cells.
TEST(Windows, AxesAreTheirOwn) {
  const Windows windows = pool_of({1, 2, 3}, {1, 3}, {1, 1}, {0, 1, 0, 1});
  EXPECT_EQ(windows.pads(), (Extents{0, 1, 0, 1}));
  EXPECT_EQ(windows.even_pads(), (Extents{0, 1}));
  EXPECT_TRUE(windows.are_same());
  EXPECT_EQ(windows.counts(false), (Extents{2, 3, 2, 2, 3, 2}));
}

// Windows of 2 at -1 and 3 of 6 cells. SAME makes two as well, ceil(6 / 4), and needs no pad for them: 0
// and 4.
TEST(Windows, AsManyAsSameMakesMayBeginElsewhere) {
  const Windows windows = pool_of({1, 6, 6}, {2, 2}, {4, 4}, {1, 1, 0, 0});
  EXPECT_EQ(windows.pads(), (Extents{1, 1, 0, 0}));
  EXPECT_FALSE(windows.are_same());
}

// Three cells at distance 2 reach over 5: 5 windows from -2 on of 5 cells end 2 behind.
TEST(Windows, DilationWidensThem) {
  const Windows windows = windows_of({1, 5, 5}, "conv2d",
                                     {{"out_channels", count(1)},
                                      {"kernel", extents({3, 3})},
                                      {"pads", extents({2, 2, 2, 2})},
                                      {"dilation", extents({2, 2})}});
  EXPECT_EQ(windows.pads(), (Extents{2, 2, 2, 2}));
  EXPECT_TRUE(windows.are_same());
  EXPECT_EQ(windows.even_pads(), (Extents{2, 2}));
}

}  // namespace
}  // namespace dlbench::model
