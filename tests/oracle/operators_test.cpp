#include "oracle/operators.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "oracle/support.hpp"

namespace dlbench::oracle {
namespace {

using testing::all_test_graphs;
using testing::NodeCase;
using testing::noise;

// Σ seed · output: with a fixed random seed its derivative exercises every output element at once.
double weighted_output(NodeCase<double>& node, const std::vector<double>& seed) {
  const Array<double> output = node.op().forward(node.view());
  double sum = 0.0;
  for (std::size_t i = 0; i < seed.size(); ++i) {
    sum += seed[i] * output.values[i];
  }
  return sum;
}

// Central differences of every element of `values` against `gradient`. No relu input and no pair of pool
// inputs of the noise is closer than the step, so no difference crosses a kink.
void expect_gradient(NodeCase<double>& node, const std::vector<double>& seed, std::vector<double>& values,
                     const std::vector<double>& gradient, const std::string& what) {
  constexpr double step = 0x1.0p-20;
  ASSERT_EQ(values.size(), gradient.size()) << what;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double kept = values[i];
    values[i] = kept + step;
    const double above = weighted_output(node, seed);
    values[i] = kept - step;
    const double below = weighted_output(node, seed);
    values[i] = kept;
    // Error of the difference: round-off 1e-15 / step = 1e-9; truncation step² = 1e-12.
    EXPECT_NEAR((above - below) / (2.0 * step), gradient[i], 1e-7) << what << " element " << i;
  }
}

TEST(OperatorsTest, EveryBuiltinOperatorIsKnownInBothPrecisions) {
  for (const model::OpSpec& spec : model::builtin_ops()) {
    EXPECT_EQ(operator_of<double>(spec.name).name, spec.name);
    EXPECT_EQ(operator_of<float>(spec.name).name, spec.name);
  }
  EXPECT_EQ(operators<double>().size(), model::builtin_ops().size());
}

TEST(OperatorsTest, AnUnknownOperatorIsABug) {
  EXPECT_THROW((void)operator_of<double>("elu"), base::Bug);
}

// Every node of every operator's test graphs, so every attribute value they exercise.
TEST(OperatorsTest, DerivativesAgreeWithFiniteDifferences) {
  std::set<std::string> seen;
  for (const model::Graph& graph : all_test_graphs()) {
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      NodeCase<double> node(graph, n, 3, 11);
      const std::string name = graph.name + "/" + graph.nodes[n].name;
      const Array<double> output = node.op().forward(node.view());
      Array<double> seed(output.shape);
      seed.values = noise(output.values.size(), 77);
      const std::vector<Array<double>> to_inputs = node.op().input_gradients(node.view(), seed);
      ASSERT_EQ(to_inputs.size(), node.input_count()) << name;
      for (std::size_t i = 0; i < to_inputs.size(); ++i) {
        EXPECT_EQ(to_inputs[i].shape, node.input_at(i).shape) << name;
        if (model::find_op(graph.nodes[n].op)->reads_tokens) {
          continue;  // between two tokens there is nothing
        }
        expect_gradient(node, seed.values, node.input_at(i).values, to_inputs[i].values, name + " input");
      }
      if (!node.parameters.empty()) {
        const std::vector<Array<double>> gradients = node.op().parameter_gradients(node.view(), seed);
        ASSERT_EQ(gradients.size(), node.parameters.size()) << name;
        for (std::size_t p = 0; p < gradients.size(); ++p) {
          EXPECT_EQ(gradients[p].shape, node.parameters[p].shape) << name;
          expect_gradient(node, seed.values, node.parameters[p].values, gradients[p].values,
                          name + " parameter");
        }
      }
      seen.insert(graph.nodes[n].op);
    }
  }
  EXPECT_EQ(seen.size(), model::builtin_ops().size());
}

TEST(OperatorsTest, OutputsHaveTheShapesOfTheModel) {
  for (const model::Graph& graph : all_test_graphs()) {
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      NodeCase<float> node(graph, n, 2, 5);
      model::Shape expected = graph.nodes[n].output_shape;
      if (n + 1 < graph.nodes.size()) {
        expected.insert(expected.begin(), 2);
      }
      const Array<float> output = node.op().forward(node.view());
      EXPECT_EQ(output.shape, expected) << graph.name << "/" << graph.nodes[n].name;
      EXPECT_EQ(output.values.size(), index_of(model::element_count(expected)));
    }
  }
}

}  // namespace
}  // namespace dlbench::oracle
