#include <gmock/gmock.h>

#include <set>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/one_op.hpp"
#include "model/op_spec.hpp"

namespace dlbench::model {
namespace {

Shape conv(const Shape& input, Attributes more) {
  more.insert({{"out_channels", count(4)}, {"kernel", extents({3, 2})}});
  return output_of("conv2d", input, std::move(more));
}

Shape pool(const Shape& input, Shape kernel, Shape stride, Shape pads, bool ceil_mode) {
  return output_of("max_pool", input,
                   {{"kernel", extents(std::move(kernel))},
                    {"stride", extents(std::move(stride))},
                    {"pads", extents(std::move(pads))},
                    {"ceil_mode", ceil_mode}});
}

TEST(Conv2d, OutputExtents) {
  EXPECT_EQ(conv({2, 9, 8}, {}), (Shape{4, 7, 7}));
  EXPECT_EQ(conv({2, 9, 8}, {{"stride", extents({2, 3})}}), (Shape{4, 4, 3}));  // 6/2+1, floor(6/3)+1
  EXPECT_EQ(conv({2, 9, 8}, {{"stride", extents({4, 4})}}), (Shape{4, 2, 2}));  // floor(6/4)+1 both
  EXPECT_EQ(conv({2, 9, 8}, {{"pads", extents({1, 0, 2, 5})}}),
            (Shape{4, 10, 12}));                                                  // top+bottom, left+right
  EXPECT_EQ(conv({2, 9, 8}, {{"dilation", extents({3, 4})}}), (Shape{4, 3, 4}));  // reaches of 7 and 5
  EXPECT_EQ(conv({2, 3, 2}, {}), (Shape{4, 1, 1}));
}

TEST(Conv2d, GroupsDivideTheWeight) {
  const Graph graph = Builder("g", {4, 6, 5})
                          .add("it", "conv2d",
                               {{"out_channels", count(6)},
                                {"kernel", extents({3, 3})},
                                {"groups", count(2)},
                                {"bias", false}})
                          .add("flat", "flatten")
                          .add("score", "dense", {{"out_features", count(2)}})
                          .finish();
  const Node& it = node(graph, "it");
  ASSERT_EQ(it.parameters.size(), 1U);
  EXPECT_EQ(it.parameters[0].shape, (Shape{6, 2, 3, 3}));
  EXPECT_EQ(it.parameters[0].fan_in, 18);
  EXPECT_EQ(it.parameters[0].fan_out, 27);
  EXPECT_EQ(it.macs, 6 * 4 * 3 * 18);
}

TEST(Conv2d, RefusesValuesWithoutMeaning) {
  EXPECT_THROW(conv({2, 2, 8}, {}), base::UserError);
  EXPECT_THROW(conv({2, 9, 8}, {{"stride", extents({0, 1})}}), base::UserError);
  EXPECT_THROW(conv({2, 9, 8}, {{"stride", extents({1})}}), base::UserError);
  EXPECT_THROW(conv({2, 9, 8}, {{"pads", extents({-1, 0, 0, 0})}}), base::UserError);
  EXPECT_THROW(conv({2, 9, 8}, {{"dilation", extents({1, INT64_MAX})}}), base::UserError);
  EXPECT_THROW(conv({2, 9, 8}, {{"groups", count(0)}}), base::UserError);
  EXPECT_THROW(conv({3, 9, 8}, {{"groups", count(2)}}), base::UserError);
  EXPECT_THROW(conv({3, 9, 8}, {{"groups", count(3)}}), base::UserError);
  EXPECT_THROW(conv({3, 9, 8}, {{"out_channels", count(-1)}}), base::UserError);
}

TEST(MaxPool, FloorAndCeil) {
  const Shape none = {0, 0, 0, 0};
  EXPECT_EQ(pool({2, 7, 5}, {2, 2}, {2, 2}, none, false), (Shape{2, 3, 2}));
  EXPECT_EQ(pool({2, 7, 5}, {2, 2}, {2, 2}, none, true), (Shape{2, 4, 3}));
  EXPECT_EQ(pool({2, 8, 6}, {2, 2}, {2, 2}, none, true), (Shape{2, 4, 3}));
  EXPECT_EQ(pool({2, 6, 9}, {2, 3}, {3, 2}, none, false), (Shape{2, 2, 4}));
  EXPECT_EQ(pool({2, 6, 5}, {3, 3}, {2, 2}, {1, 0, 1, 2}, false), (Shape{2, 3, 3}));
}

// 5 cells and a pad of 1 on both sides, window 2, stride 2: ceil gives 4 windows, starting at 0, 2, 4, 6 of
// the padded axis; the last one would start at 6 = 5 + 1, in the trailing pad.
TEST(MaxPool, CeilDropsAWindowThatStartsInTheTrailingPad) {
  EXPECT_EQ(pool({1, 5, 5}, {2, 2}, {2, 2}, {1, 1, 1, 1}, true), (Shape{1, 3, 3}));
  // Without the leading pad the fourth window does not exist and the third starts at 4 < 5.
  EXPECT_EQ(pool({1, 5, 5}, {2, 2}, {2, 2}, {0, 0, 1, 1}, true), (Shape{1, 3, 3}));
  // A stride larger than the kernel: windows at 0 and 3; the second lies beyond the 3 cells.
  EXPECT_EQ(pool({1, 3, 3}, {1, 1}, {3, 3}, {0, 0, 0, 0}, true), (Shape{1, 1, 1}));
}

TEST(MaxPool, RefusesWindowsOfPaddingAlone) {
  EXPECT_THROW(pool({1, 5, 5}, {2, 2}, {2, 2}, {2, 0, 0, 0}, false), base::UserError);
  EXPECT_THROW(pool({1, 5, 5}, {2, 2}, {2, 2}, {0, 0, 0, 2}, true), base::UserError);
  EXPECT_THROW(pool({1, 5, 5}, {6, 1}, {2, 2}, {0, 0, 0, 0}, true), base::UserError);
}

TEST(OpSpec, EveryOperatorIsDocumentedAndTested) {
  std::set<std::string> names;
  std::set<std::string> graphs;
  for (const OpSpec& spec : builtin_ops()) {
    EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
    EXPECT_FALSE(spec.definition.empty()) << spec.name;
    EXPECT_EQ(find_op(spec.name), &spec);
    const std::vector<Graph> tests = spec.test_graphs();
    EXPECT_FALSE(tests.empty()) << spec.name;
    for (const Graph& graph : tests) {
      EXPECT_TRUE(graphs.insert(graph.name).second) << graph.name << " is not unique";
      EXPECT_LE(parameter_count(graph), 2000) << graph.name << " is not small";
      EXPECT_TRUE(std::any_of(graph.nodes.begin(), graph.nodes.end(), [&spec](const Node& n) {
        return n.op == spec.name;
      })) << graph.name;
    }
  }
  EXPECT_EQ(find_op("none"), nullptr);
}

// An attribute whose value is the default in all test graphs is an attribute that `verify --ops` does not
// verify.
TEST(OpSpec, TestGraphsExerciseEveryAttribute) {
  for (const OpSpec& spec : builtin_ops()) {
    for (const AttributeSpec& attribute : spec.attributes) {
      EXPECT_FALSE(attribute.meaning.empty()) << spec.name << "." << attribute.name;
      std::set<Attribute> values;
      for (const Graph& graph : spec.test_graphs()) {
        for (const Node& n : graph.nodes) {
          if (n.op == spec.name) {
            values.insert(n.attributes.at(attribute.name));
          }
        }
      }
      EXPECT_GE(values.size(), 2U) << spec.name << "." << attribute.name;
    }
  }
}

}  // namespace
}  // namespace dlbench::model
