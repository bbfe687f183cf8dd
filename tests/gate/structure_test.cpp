#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gate/gate.hpp"
#include "gate/runs.hpp"

namespace dlbench::gate {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Structure structure_of(const model::Graph& graph) {
  Structure structure;
  for (const model::Parameter& parameter : model::parameters(graph)) {
    structure.parameters.emplace_back(parameter.name, parameter.shape);
  }
  structure.logits = model::node(graph, model::logits_name(graph)).output_shape;
  return structure;
}

TEST(Structure, EqualIsNoDifference) {
  const model::Graph graph = testing::small_net();
  EXPECT_EQ(compare_structure(graph, structure_of(graph)), std::nullopt);
}

TEST(Structure, EachDifferenceIsNamed) {
  const model::Graph graph = testing::small_net();
  Structure missing = structure_of(graph);
  missing.parameters.pop_back();
  EXPECT_THAT(*compare_structure(graph, missing), HasSubstr("ip2.bias [5] is missing"));

  Structure transposed = structure_of(graph);
  std::swap(transposed.parameters[4].second[0], transposed.parameters[4].second[1]);
  EXPECT_THAT(*compare_structure(graph, transposed),
              HasSubstr("ip2.weight [24, 5], should be ip2.weight [5, 24]"));

  Structure more = structure_of(graph);
  more.parameters.emplace_back("extra.weight", model::Shape{3});
  EXPECT_THAT(*compare_structure(graph, more), HasSubstr("extra.weight [3] is not part of the network"));

  Structure logits = structure_of(graph);
  logits.logits = {6};
  EXPECT_THAT(*compare_structure(graph, logits), HasSubstr("logits of a sample are [6], should be [5]"));
}

TEST(Structure, KnownFaultsAreNamed) {
  const model::Graph graph = *fault_graph("two_hidden");
  Experiment work;
  work.graph = graph;
  work.weights = model::initial_weights(graph, {});
  const auto swapped = testing::fault("swapped_hidden_sizes").apply(work);
  ASSERT_TRUE(swapped.has_value());
  const Structure seen = structure_of(swapped->experiment.graph);
  ASSERT_NE(compare_structure(graph, seen), std::nullopt);
  EXPECT_THAT(diagnose_structure(graph, seen), StartsWith("swapped_hidden_sizes: "));

  Structure odd = structure_of(graph);
  odd.parameters.clear();
  EXPECT_EQ(diagnose_structure(graph, odd), "unknown");
}

// Odd extents in front of a dense layer: rounding up changes its number of inputs.
TEST(Structure, CeilPoolingIsNamedByItsShapes) {
  const model::Graph graph =
      model::Builder("odd_dense", {1, 7, 7})
          .add("pool", "max_pool", {{"kernel", model::extents({2, 2})}, {"stride", model::extents({2, 2})}})
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", model::count(3)}})
          .finish();
  Structure seen = structure_of(graph);
  seen.parameters[0].second = {3, 16};  // 4 × 4 instead of 3 × 3
  EXPECT_THAT(diagnose_structure(graph, seen), StartsWith("ceil_pooling: "));
}

}  // namespace
}  // namespace dlbench::gate
