#include "model/graph.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "base/error.hpp"
#include "model/builder.hpp"

namespace dlbench::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// input [3, 8, 6] -> conv -> pool -> flat -> score -> loss; not completed.
Graph raw_chain() {
  Graph graph;
  graph.name = "chain";
  graph.input_shape = {3, 8, 6};
  const auto add = [&graph](const char* name, const char* op, const char* input, Attributes attributes) {
    Node node;
    node.name = name;
    node.op = op;
    node.inputs = {input};
    node.attributes = std::move(attributes);
    graph.nodes.push_back(node);
  };
  add("conv", "conv2d", "input", {{"out_channels", count(4)}, {"kernel", extents({3, 2})}});
  add("pool", "max_pool", "conv", {{"kernel", extents({2, 2})}, {"stride", extents({2, 2})}});
  add("flat", "flatten", "pool", {});
  add("score", "dense", "flat", {{"out_features", count(5)}});
  add("loss", "softmax_cross_entropy", "score", {});
  return graph;
}

// Applies one change to the good chain and expects a refusal whose text has the node's name and the reason.
void expect_refused(const std::string& name, const std::string& reason,
                    const std::function<void(Graph&)>& spoil) {
  Graph graph = raw_chain();
  spoil(graph);
  try {
    (void)complete(graph);
    ADD_FAILURE() << "accepted; expected: " << reason;
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(name), HasSubstr(reason)));
  }
}

TEST(Graph, DerivesShapesParametersAndCost) {
  const Graph graph = complete(raw_chain());
  EXPECT_EQ(node(graph, "conv").output_shape, (Shape{4, 6, 5}));
  EXPECT_EQ(node(graph, "pool").output_shape, (Shape{4, 3, 2}));
  EXPECT_EQ(node(graph, "flat").output_shape, (Shape{24}));
  EXPECT_EQ(node(graph, "loss").output_shape, Shape{});
  EXPECT_EQ(shape_of(graph, "input"), (Shape{3, 8, 6}));
  EXPECT_EQ(shape_of(graph, "pool"), (Shape{4, 3, 2}));
  EXPECT_THROW((void)shape_of(graph, "pond"), base::Bug);
  EXPECT_EQ(graph.class_count, 5);
  EXPECT_EQ(logits_name(graph), "score");
  // conv 4·3·3·2 + 4, dense 5·24 + 5
  EXPECT_EQ(parameter_count(graph), 76 + 125);
  // conv 4·6·5 outputs of 3·3·2 products, dense 5 of 24
  EXPECT_EQ(macs_per_sample(graph), 120 * 18 + 120);
  const std::vector<Parameter> all = parameters(graph);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].name, "conv.weight");
  EXPECT_EQ(all[0].shape, (Shape{4, 3, 3, 2}));
  EXPECT_EQ(all[0].fan_in, 18);
  EXPECT_EQ(all[0].fan_out, 24);
  EXPECT_EQ(all[1].name, "conv.bias");
  EXPECT_EQ(all[1].role, ParameterRole::bias);
  EXPECT_EQ(all[2].shape, (Shape{5, 24}));
}

TEST(Graph, CompletingAgainChangesNothing) {
  const Graph once = complete(raw_chain());
  const Graph twice = complete(once);
  EXPECT_EQ(parameter_count(twice), parameter_count(once));
  EXPECT_EQ(node(twice, "conv").attributes, node(once, "conv").attributes);
}

TEST(Graph, AddsDefaults) {
  const Graph graph = complete(raw_chain());
  EXPECT_EQ(integers(node(graph, "conv"), "pads"), (Shape{0, 0, 0, 0}));
  EXPECT_EQ(integer(node(graph, "conv"), "groups"), 1);
  EXPECT_TRUE(flag(node(graph, "conv"), "bias"));
  EXPECT_FALSE(flag(node(graph, "pool"), "ceil_mode"));
  EXPECT_THROW((void)integer(node(graph, "conv"), "bias"), base::Bug);
  EXPECT_THROW((void)flag(node(graph, "conv"), "absent"), base::Bug);
  EXPECT_THROW((void)node(graph, "absent"), base::Bug);
}

TEST(Graph, RefusesBadNames) {
  expect_refused("''", "a name has", [](Graph& g) { g.nodes[0].name = ""; });
  expect_refused("'a/b'", "a name has", [](Graph& g) { g.nodes[0].name = "a/b"; });
  expect_refused("'input'", "a name has", [](Graph& g) { g.nodes[0].name = "input"; });
  expect_refused("'xxx", "a name has", [](Graph& g) { g.nodes[0].name = std::string(64, 'x'); });
  expect_refused("'conv'", "another node", [](Graph& g) { g.nodes[1].name = "conv"; });
  expect_refused("graph name", "letters", [](Graph& g) { g.name = "../x"; });
}

TEST(Graph, RefusesBadStructure) {
  expect_refused("'conv'", "no such operator", [](Graph& g) { g.nodes[0].op = "conv9d"; });
  expect_refused("'conv'", "earlier node", [](Graph& g) { g.nodes[0].inputs = {"pool"}; });
  expect_refused("'flat'", "has 2 inputs", [](Graph& g) { g.nodes[2].inputs = {"pool", "pool"}; });
  expect_refused("'score'", "last node must be a loss", [](Graph& g) { g.nodes.pop_back(); });
  expect_refused("'flat'", "loss must be the last",
                 [](Graph& g) { g.nodes[2].op = "softmax_cross_entropy"; });
  expect_refused("chain", "nodes", [](Graph& g) { g.nodes.clear(); });
  expect_refused("chain", "nodes", [](Graph& g) { g.nodes.resize(max_nodes + 1); });
  expect_refused("'extra'", "no node reads", [](Graph& g) {
    Node extra = g.nodes[2];
    extra.name = "extra";
    g.nodes.insert(g.nodes.begin() + 3, extra);
  });
}

TEST(Graph, RefusesBadAttributes) {
  expect_refused("'conv'", "unknown attribute 'padding'",
                 [](Graph& g) { g.nodes[0].attributes["padding"] = count(1); });
  expect_refused("'flat'", "it has no attributes",
                 [](Graph& g) { g.nodes[2].attributes["axis"] = count(1); });
  expect_refused("'conv'", "'kernel' is missing", [](Graph& g) { g.nodes[0].attributes.erase("kernel"); });
  expect_refused("'conv'", "wrong type", [](Graph& g) { g.nodes[0].attributes["kernel"] = count(3); });
  expect_refused("'conv'", "wrong type", [](Graph& g) { g.nodes[0].attributes["bias"] = count(1); });
}

TEST(Graph, RefusesBadShapes) {
  expect_refused("chain", "empty", [](Graph& g) { g.input_shape = {}; });
  expect_refused("chain", "extent outside", [](Graph& g) { g.input_shape = {3, 0, 6}; });
  expect_refused("chain", "extent outside", [](Graph& g) { g.input_shape = {3, -8, 6}; });
  expect_refused("chain", "extent outside", [](Graph& g) { g.input_shape = {max_extent + 1}; });
  expect_refused("chain", "elements", [](Graph& g) { g.input_shape = {max_extent, max_extent, max_extent}; });
  expect_refused("chain", "more than 6", [](Graph& g) { g.input_shape = {1, 1, 1, 1, 1, 1, 1}; });
  expect_refused("'conv'", "channels, height, width", [](Graph& g) { g.input_shape = {3, 8}; });
  expect_refused("'score'", "[features]", [](Graph& g) { g.nodes[3].inputs = {"pool"}; });
  expect_refused("'score'", "extent outside",
                 [](Graph& g) { g.nodes[3].attributes["out_features"] = count(max_extent * 16); });
  expect_refused("'loss'", "2 classes", [](Graph& g) { g.nodes[3].attributes["out_features"] = count(1); });
}

TEST(Shape, CountsElements) {
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({3, 0, 5}), 0);
  EXPECT_EQ(element_count({2, 3, 4}), 24);
  EXPECT_THROW((void)element_count({-1}), base::Bug);
  EXPECT_THROW((void)element_count({1LL << 32U, 1LL << 32U}), base::Bug);
  EXPECT_EQ(to_text(Shape{20, 1, 5, 5}), "[20, 1, 5, 5]");
  EXPECT_EQ(to_text(Shape{}), "[]");
}

}  // namespace
}  // namespace dlbench::model
