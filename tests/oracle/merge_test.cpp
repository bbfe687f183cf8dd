// add and concat, and the walk where a value has several readers.
#include <gtest/gtest.h>

#include "model/builder.hpp"
#include "oracle/operators.hpp"
#include "oracle/oracle.hpp"
#include "oracle/support.hpp"

namespace dlbench::oracle {
namespace {

using model::count;
using testing::array;
using testing::NodeCase;

model::Graph merging(const std::string& op, const model::Shape& input) {
  return model::Builder("m", input)
      .add_from("merged", op, {"input", "input"})
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(2)}})
      .finish();
}

TEST(AddTest, AddsAndGivesBothTheGradient) {
  const model::Graph graph = merging("add", {2});
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = {1, 2};
  node.other_inputs[0].values = {10, 30};
  EXPECT_EQ(node.op().forward(node.view()).values, (std::vector<double>{11, 32}));
  const Array<double> dy = array<double>({1, 2}, {5, 6});
  for (const Array<double>& dx : node.op().input_gradients(node.view(), dy)) {
    EXPECT_EQ(dx.values, dy.values);
  }
}

// Two samples of two channels of 1 × 2 each: every sample's channels stay together.
TEST(ConcatTest, JoinsTheChannelsOfEachSample) {
  const model::Graph graph = merging("concat", {2, 1, 2});
  NodeCase<double> node(graph, 0, 2, 1);
  node.input.values = {1, 2, 3, 4, 5, 6, 7, 8};
  node.other_inputs[0].values = {10, 20, 30, 40, 50, 60, 70, 80};
  const Array<double> output = node.op().forward(node.view());
  EXPECT_EQ(output.shape, (model::Shape{2, 4, 1, 2}));
  EXPECT_EQ(output.values, (std::vector<double>{1, 2, 3, 4, 10, 20, 30, 40, 5, 6, 7, 8, 50, 60, 70, 80}));
  const std::vector<Array<double>> gradients = node.op().input_gradients(node.view(), output);
  EXPECT_EQ(gradients[0].values, node.input.values);
  EXPECT_EQ(gradients[1].values, node.other_inputs[0].values);
}

// sum = first + first doubles what the next layer sees, and so the gradient of the first.
TEST(WalkTest, AValueReadTwiceGetsBothGradients) {
  const auto build = [](bool twice) {
    model::Builder builder("w", {2});
    builder.add("first", "dense", {{"out_features", count(2)}, {"bias", false}});
    if (twice) {
      builder.add_from("sum", "add", {"first", "first"});
    }
    return builder.add("score", "dense", {{"out_features", count(2)}, {"bias", false}}).finish();
  };
  const model::Batch batch = {testing::tensor({1, 2}, {1.0F, 2.0F}), {0}};
  const model::Tensor first = testing::tensor({2, 2}, {0.5F, 0.25F, -0.125F, 0.75F});
  const model::Tensor score = testing::tensor({2, 2}, {1.0F, -1.0F, 0.5F, 0.25F});
  const model::Tensor twice = testing::tensor({2, 2}, {2.0F, -2.0F, 1.0F, 0.5F});
  const Evaluation added = differentiate(build(true), {first, score}, batch, Precision::fp64);
  const Evaluation scaled = differentiate(build(false), {first, twice}, batch, Precision::fp64);
  EXPECT_DOUBLE_EQ(added.loss, scaled.loss);
  EXPECT_LT(testing::relative_error(added.gradients[0], scaled.gradients[0]), 1e-15);
}

}  // namespace
}  // namespace dlbench::oracle
