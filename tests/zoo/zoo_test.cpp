#include "zoo/zoo.hpp"

#include <gtest/gtest.h>

#include <set>

#include "model/json.hpp"

namespace dlbench::zoo {
namespace {

TEST(Zoo, EveryEntryIsACompleteGraphOfItsName) {
  std::set<std::string> names;
  for (const Entry& entry : entries()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.sentence.empty());
    const model::Graph graph = entry.build();
    EXPECT_EQ(graph.name, entry.name);
    EXPECT_EQ(model::to_json(model::graph_from_json(model::to_json(graph))), model::to_json(graph));
    EXPECT_EQ(find(entry.name), &entry);
  }
  EXPECT_EQ(find("none"), nullptr);
}

// Caffe's examples/mnist: conv 20 of 5×5, pool 2, conv 50 of 5×5, pool 2, dense 500, relu, dense 10.
//   conv1 20·1·5·5 + 20     =     520 parameters, 20·24·24 outputs × 25  =   288,000 multiply-adds
//   conv2 50·20·5·5 + 50    =  25,050,            50·8·8 outputs × 500   = 1,600,000
//   ip1   500·(50·4·4) + 500 = 400,500,                                     400,000
//   ip2   10·500 + 10       =   5,010,                                        5,000
//   total                     431,080                                     2,293,000
TEST(LeNet, HasCaffesSizes) {
  const model::Graph graph = lenet();
  EXPECT_EQ(model::parameter_count(graph), 431'080);
  EXPECT_EQ(model::macs_per_sample(graph), 288'000 + 1'600'000 + 400'000 + 5'000);
  EXPECT_EQ(graph.class_count, 10);
  EXPECT_EQ(model::node(graph, "conv1").output_shape, (model::Shape{20, 24, 24}));
  EXPECT_EQ(model::node(graph, "pool1").output_shape, (model::Shape{20, 12, 12}));
  EXPECT_EQ(model::node(graph, "conv2").output_shape, (model::Shape{50, 8, 8}));
  EXPECT_EQ(model::node(graph, "pool2").output_shape, (model::Shape{50, 4, 4}));
  EXPECT_EQ(model::node(graph, "ip1").output_shape, (model::Shape{500}));
}

// The published net has exactly one relu, between the dense layers.
TEST(LeNet, HasOneRelu) {
  const model::Graph graph = lenet();
  int relus = 0;
  for (const model::Node& node : graph.nodes) {
    relus += node.op == "relu" ? 1 : 0;
  }
  EXPECT_EQ(relus, 1);
  EXPECT_EQ(model::node(graph, "relu1").inputs, std::vector<std::string>{"ip1"});
}

}  // namespace
}  // namespace dlbench::zoo
