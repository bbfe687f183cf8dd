// conv_table on numbers worked out by hand.
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

// Three input channels of 1 × 3; two outputs, the first reads channels 2 and 0, the second 1 and 2.
// Weights w[o][r] of 1 × 2: (1 10) (100 1000) | (2 20) (200 2000).
class ConvTableTest : public ::testing::Test {
 protected:
  ConvTableTest() {
    node_.input.values = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    node_.parameters[0].values = {1, 10, 100, 1000, 2, 20, 200, 2000};
    node_.parameters[1].values = {0.5, 0.25};
  }
  const model::Graph graph_ =
      model::Builder("t", {3, 1, 3})
          .add("map", "conv_table",
               {{"out_channels", count(2)}, {"kernel", extents({1, 2})}, {"table", extents({2, 0, 1, 2})}})
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(2)}})
          .finish();
  NodeCase<double> node_{graph_, 0, 1, 1};
};

// First output: 7 + 80 + 100 + 2000, 8 + 90 + 200 + 3000; second: 8 + 100 + 1400 + 16000, 10 + 120 + 1600 +
// 18000.
TEST_F(ConvTableTest, ReadsTheChannelsOfItsTable) {
  EXPECT_EQ(node_.op().forward(node_.view()).values,
            (std::vector<double>{2187.5, 3298.5, 17508.25, 19730.25}));
}

// dy = (1 0) for the first output, (0 1) for the second: the weights' gradients are the patches, and the
// inputs' are the weights at the places they were read from.
TEST_F(ConvTableTest, Gradients) {
  const Array<double> dy = array<double>({1, 2, 1, 2}, {1, 0, 0, 1});
  const std::vector<Array<double>> gradients = node_.op().parameter_gradients(node_.view(), dy);
  EXPECT_EQ(gradients[0].values, (std::vector<double>{7, 8, 1, 2, 5, 6, 8, 9}));
  EXPECT_EQ(gradients[1].values, (std::vector<double>{1, 1}));
  EXPECT_EQ(node_.op().input_gradients(node_.view(), dy)[0].values,
            (std::vector<double>{100, 1000, 0, 0, 2, 20, 1, 210, 2000}));
}

}  // namespace
}  // namespace dlbench::oracle
