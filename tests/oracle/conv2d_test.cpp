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

model::Graph convolution(const model::Shape& input, model::Attributes attributes) {
  return model::Builder("convolution", input)
      .add("conv", "conv2d", std::move(attributes))
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(2)}})
      .finish();
}

// x = 1 2 3   w = 1 2   cross-correlation (no flip), bias 10:
//     4 5 6       3 4   1·1+2·2+4·3+5·4 = 37, 2·1+3·2+5·3+6·4 = 47
//     7 8 9             4·1+5·2+7·3+8·4 = 67, 5·1+6·2+8·3+9·4 = 77
TEST(Conv2dTest, IsACrossCorrelation) {
  const model::Graph graph =
      convolution({1, 3, 3}, {{"out_channels", count(1)}, {"kernel", extents({2, 2})}});
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  node.parameters[0].values = {1, 2, 3, 4};
  node.parameters[1].values = {10};
  EXPECT_EQ(node.op().forward(node.view()).values, (std::vector<double>{47, 57, 77, 87}));

  // With dy = 1 everywhere: dw[i,j] = sum of the 2×2 inputs below tap (i,j): 1+2+4+5, 2+3+5+6, 4+5+7+8,
  // 5+6+8+9; db = 4; dx = the full correlation of ones with w: corners 1 2 3 4, edges the sums of two, centre
  // of all four.
  const Array<double> ones = array<double>({1, 1, 2, 2}, {1, 1, 1, 1});
  const std::vector<Array<double>> gradients = node.op().parameter_gradients(node.view(), ones);
  EXPECT_EQ(gradients[0].values, (std::vector<double>{12, 16, 24, 28}));
  EXPECT_EQ(gradients[1].values, (std::vector<double>{4}));
  EXPECT_EQ(node.op().input_gradients(node.view(), ones)[0].values,
            (std::vector<double>{1, 3, 2, 4, 10, 6, 3, 7, 4}));
}

// A row of five, kernel 1×2 = (1, 10), dilation 3, stride 2, one zero on the left:
// padded 0 1 2 3 4 5; windows start at 0 and 2: 0 + 10·3 = 30, 2 + 10·5 = 52.
TEST(Conv2dTest, DilationStrideAndLeftPad) {
  const model::Graph graph = convolution({1, 1, 5}, {{"out_channels", count(1)},
                                                     {"kernel", extents({1, 2})},
                                                     {"stride", extents({1, 2})},
                                                     {"dilation", extents({1, 3})},
                                                     {"pads", extents({0, 1, 0, 0})},
                                                     {"bias", false}});
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {1, 2, 3, 4, 5};
  node.parameters[0].values = {1, 10};
  EXPECT_EQ(node.op().forward(node.view()).values, (std::vector<double>{30, 52}));
}

// Two groups of one channel each: output channel 0 sees only channel 0, channel 1 only channel 1.
TEST(Conv2dTest, GroupsDoNotMix) {
  const model::Graph graph = convolution(
      {2, 1, 2},
      {{"out_channels", count(2)}, {"kernel", extents({1, 1})}, {"groups", count(2)}, {"bias", false}});
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {1, 2, 100, 200};
  node.parameters[0].values = {3, 5};
  EXPECT_EQ(node.op().forward(node.view()).values, (std::vector<double>{3, 6, 500, 1000}));
  const Array<double> dy = array<double>({1, 2, 1, 2}, {1, 0, 0, 1});
  EXPECT_EQ(node.op().parameter_gradients(node.view(), dy)[0].values, (std::vector<double>{1, 200}));
  EXPECT_EQ(node.op().input_gradients(node.view(), dy)[0].values, (std::vector<double>{3, 0, 0, 5}));
}

// 40 images of 60 × 60 positions × 49 cells are 7 million row cells, more than one part holds: the parts must
// give what each image alone gives.
TEST(Conv2dTest, LargeBatchesWorkInParts) {
  const model::Graph graph =
      convolution({1, 66, 66}, {{"out_channels", count(2)}, {"kernel", extents({7, 7})}});
  constexpr std::int64_t rows = 40;
  NodeCase<double> all(graph, 0, rows, 3);
  const Array<double> output = all.op().forward(all.view());
  Array<double> seed(output.shape);
  seed.values = testing::noise(output.values.size(), 9);
  const std::vector<Array<double>> gradients = all.op().parameter_gradients(all.view(), seed);
  const Array<double> to_input = all.op().input_gradients(all.view(), seed)[0];

  Values outputs, inputs, weight_sum(98), bias_sum(2);
  for (std::int64_t row = 0; row < rows; ++row) {
    NodeCase<double> one(graph, 0, 1, 3);
    const auto slice = [row](const Array<double>& from, Array<double>& to) {
      const auto begin = from.values.begin() + row * from.row_size();
      to.values.assign(begin, begin + from.row_size());
    };
    slice(all.input, one.input);
    one.parameters = all.parameters;
    Array<double> row_seed({1, 2, 60, 60});
    slice(seed, row_seed);
    const Array<double> y = one.op().forward(one.view());
    const Array<double> dx = one.op().input_gradients(one.view(), row_seed)[0];
    const std::vector<Array<double>> parts = one.op().parameter_gradients(one.view(), row_seed);
    outputs.insert(outputs.end(), y.values.begin(), y.values.end());
    inputs.insert(inputs.end(), dx.values.begin(), dx.values.end());
    for (std::size_t i = 0; i < weight_sum.size(); ++i) {
      weight_sum[i] += parts[0].values[i];
    }
    bias_sum[0] += parts[1].values[0];
    bias_sum[1] += parts[1].values[1];
  }
  EXPECT_LT(testing::relative_error(output.values, outputs), 1e-13);
  EXPECT_LT(testing::relative_error(to_input.values, inputs), 1e-13);
  EXPECT_LT(testing::relative_error(gradients[0].values, weight_sum), 1e-12);
  EXPECT_LT(testing::relative_error(gradients[1].values, bias_sum), 1e-12);
}

}  // namespace
}  // namespace dlbench::oracle
