// Shapes, parameters and refusals of the operators behind conv2d and max_pool (ops_test.cpp).
#include <gmock/gmock.h>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/one_op.hpp"
#include "model/op_spec.hpp"

namespace dlbench::model {
namespace {

TEST(AvgPool, HasTheExtentsOfMaxPool) {
  const auto extents_of = [](const std::string& op, bool ceil_mode) {
    return output_of(op, {1, 6, 6},
                     {{"kernel", extents({3, 3})},
                      {"stride", extents({2, 2})},
                      {"pads", extents({1, 1, 1, 1})},
                      {"ceil_mode", ceil_mode}});
  };
  for (const bool ceil_mode : {false, true}) {
    EXPECT_EQ(extents_of("avg_pool", ceil_mode), extents_of("max_pool", ceil_mode));
  }
  EXPECT_EQ(extents_of("avg_pool", true), (Shape{1, 4, 4}));  // ceil((6 + 2 - 3) / 2) + 1
  EXPECT_THROW(output_of("avg_pool", {6}, {{"kernel", extents({1, 1})}, {"stride", extents({1, 1})}}),
               base::UserError);
}

TEST(GlobalAvgPool, LeavesOneCellPerChannel) {
  EXPECT_EQ(output_of("global_avg_pool", {5, 7, 3}), (Shape{5, 1, 1}));
  EXPECT_THROW(output_of("global_avg_pool", {5}), base::UserError);
}

TEST(Activations, KeepTheShape) {
  EXPECT_EQ(output_of("sigmoid", {2, 3, 4}), (Shape{2, 3, 4}));
  EXPECT_EQ(output_of("tanh", {2, 3, 4}), (Shape{2, 3, 4}));
  EXPECT_EQ(output_of("softmax", {7}), (Shape{7}));
  EXPECT_THROW(output_of("softmax", {2, 3, 4}), base::UserError);
}

TEST(Add, WantsTwoEqualShapes) {
  EXPECT_EQ(output_of("add", {2, 3, 4}, {}, 2), (Shape{2, 3, 4}));
  EXPECT_THROW(output_of("add", {4}, {}, 1), base::UserError);
  EXPECT_THROW(output_of("add", {4}, {}, 3), base::UserError);
  EXPECT_THROW((void)Builder("a", {4})
                   .add("narrow", "dense", {{"out_features", count(3)}})
                   .add_from("sum", "add", {"input", "narrow"})
                   .finish(),
               base::UserError);
}

TEST(Concat, JoinsTheFirstExtent) {
  EXPECT_EQ(output_of("concat", {2, 3, 4}, {}, 3), (Shape{6, 3, 4}));
  EXPECT_EQ(output_of("concat", {5}, {}, 2), (Shape{10}));
  EXPECT_EQ(output_of("concat", {1}, {}, 64), (Shape{64}));
  EXPECT_THROW(output_of("concat", {5}, {}, 1), base::UserError);
  EXPECT_THROW(output_of("concat", {5}, {}, 65), base::UserError);
  EXPECT_THROW((void)Builder("c", {2, 3, 4})
                   .add("other", "conv2d", {{"out_channels", count(2)}, {"kernel", extents({2, 1})}})
                   .add_from("all", "concat", {"input", "other"})
                   .add("flat", "flatten")
                   .finish(),
               base::UserError);
}

TEST(Lrn, RefusesValuesWithoutMeaning) {
  EXPECT_EQ(output_of("lrn", {4, 2, 3}, {{"size", count(5)}, {"alpha", 1e-4}}), (Shape{4, 2, 3}));
  EXPECT_THROW(output_of("lrn", {4, 2, 3}, {{"size", count(4)}, {"alpha", 1e-4}}), base::UserError);
  EXPECT_THROW(output_of("lrn", {4, 2, 3}, {{"size", count(0)}, {"alpha", 1e-4}}), base::UserError);
  EXPECT_THROW(output_of("lrn", {4, 2, 3}, {{"size", count(5)}, {"alpha", -1.0}}), base::UserError);
  EXPECT_THROW(output_of("lrn", {4, 2, 3}, {{"size", count(5)}, {"alpha", 1.0}, {"k", 0.0}}),
               base::UserError);
  EXPECT_THROW(output_of("lrn", {4}, {{"size", count(5)}, {"alpha", 1e-4}}), base::UserError);
}

Attributes table_of(std::int64_t out, Shape table) {
  return {{"out_channels", count(out)}, {"kernel", extents({3, 2})}, {"table", extents(std::move(table))}};
}

TEST(ConvTable, ParametersFollowTheTable) {
  const Graph graph = graph_of("conv_table", {4, 5, 6}, table_of(3, {0, 1, 2, 3, 3, 0}));
  const Node& it = node(graph, "it");
  EXPECT_EQ(it.output_shape, (Shape{3, 3, 5}));
  ASSERT_EQ(it.parameters.size(), 2U);
  EXPECT_EQ(it.parameters[0].shape, (Shape{3, 2, 3, 2}));
  EXPECT_EQ(it.parameters[0].fan_in, 12);
  EXPECT_EQ(it.parameters[1].shape, (Shape{3}));
  EXPECT_EQ(it.macs, 3 * 3 * 5 * 12);
}

TEST(ConvTable, RefusesTablesWithoutMeaning) {
  EXPECT_THROW(graph_of("conv_table", {4, 5, 6}, table_of(3, {})), base::UserError);
  EXPECT_THROW(graph_of("conv_table", {4, 5, 6}, table_of(3, {0, 1, 2, 3})), base::UserError);
  EXPECT_THROW(graph_of("conv_table", {4, 5, 6}, table_of(2, {0, 4})), base::UserError);
  EXPECT_THROW(graph_of("conv_table", {4, 5, 6}, table_of(2, {0, -1})), base::UserError);
  EXPECT_THROW(graph_of("conv_table", {4, 5, 6}, table_of(2, {0, 0, 1, 2})), base::UserError);
  EXPECT_THROW(graph_of("conv_table", {4, 5, 6}, table_of(0, {0})), base::UserError);
  EXPECT_THROW(graph_of("conv_table", {4, 2, 6}, table_of(2, {0, 1})), base::UserError);
}

Graph words_graph(std::int64_t vocabulary, std::int64_t rows) {
  return Builder("words", {5}, vocabulary)
      .add("words", "embedding", {{"vocabulary", count(rows)}, {"features", count(4)}})
      .add("memory", "lstm", {{"hidden", count(3)}})
      .add("score", "dense", {{"out_features", count(rows)}})
      .finish();
}

TEST(Sequences, EachPositionHasATarget) {
  const Graph graph = words_graph(9, 9);
  EXPECT_EQ(node(graph, "words").output_shape, (Shape{5, 4}));
  EXPECT_EQ(node(graph, "memory").output_shape, (Shape{5, 3}));
  EXPECT_EQ(logits_shape(graph), (Shape{5, 9}));
  EXPECT_EQ(graph.class_count, 9);
  EXPECT_EQ(graph.targets_per_sample, 5);
  EXPECT_EQ(input_kind(graph), InputKind::tokens);
  // 9·4; 12·4, 12·3, 12; 9·3, 9. Multiply-adds: 5 (12·7 + 27).
  EXPECT_EQ(parameter_count(graph), 36 + 96 + 36);
  EXPECT_EQ(macs_per_sample(graph), 555);
  EXPECT_EQ(node(graph, "memory").parameters[1].role, ParameterRole::recurrent);
}

TEST(Sequences, TokensAndRealValuesDoNotMix) {
  EXPECT_THROW(words_graph(9, 8), base::UserError) << "an embedding of another vocabulary";
  EXPECT_THROW(words_graph(0, 9), base::UserError) << "an embedding of real values";
  EXPECT_THROW(words_graph(-1, 9), base::UserError);
  EXPECT_THROW((void)Builder("t", {4}, 9).add("score", "dense", {{"out_features", count(2)}}).finish(),
               base::UserError);
}

TEST(Sequences, LstmWantsPositions) {
  EXPECT_EQ(output_of("lstm", {6, 3}, {{"hidden", count(4)}, {"last_only", true}}), (Shape{4}));
  EXPECT_THROW(output_of("lstm", {3}, {{"hidden", count(4)}}), base::UserError);
  EXPECT_THROW(output_of("lstm", {6, 3}, {{"hidden", count(0)}}), base::UserError);
}

TEST(BinaryCrossEntropy, HasOneLogitAndTwoClasses) {
  const Graph graph =
      Builder("b", {3}).add("score", "dense", {{"out_features", count(1)}}).finish("binary_cross_entropy");
  EXPECT_EQ(graph.class_count, 2);
  EXPECT_EQ(graph.targets_per_sample, 1);
  EXPECT_THROW((void)Builder("b", {3})
                   .add("score", "dense", {{"out_features", count(2)}})
                   .finish("binary_cross_entropy"),
               base::UserError);
}

}  // namespace
}  // namespace dlbench::model
