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

struct Size {
  const char* name;
  std::int64_t parameters;
  std::int64_t macs;
};

// Sums over the layers, weights + biases, and multiply-adds = outputs x inputs of each.
//   mnist_torch: 32·25+32, 64·32·25+64, 576·200+200, 200·10+10; 784·32·25 … : 28², 6² outputs
//     627,200 + 36·64·800 = 1,843,200 + 115,200 + 2,000 = 2,587,600
//   cifar10_caffe: 2,432 + 25,632 + 51,264 + 1024·64+64 + 650; 32²·32·75 + 16²·32·800 + 8²·64·800 + 65,536 +
//   640
//     = 2,457,600 + 6,553,600 + 3,276,800 + 66,176 = 12,354,176
//   cifar10_tensorflow: 4,864 + 102,464 + 2304·384+384 + 384·192+192 + 1,930; 24²·64·75 + 12²·64·1600 +
//   884,736 +
//     73,728 + 1,920 = 2,764,800 + 14,745,600 + 960,384 = 18,470,784
//   cifar10_torch: 16·25+16, 256·4·25+256, 6400·128+128, 1,290; 28²·16·25 + 10²·256·100 + 819,200 + 1,280
//     = 313,600 + 2,560,000 + 820,480 = 3,694,080
//   alexnet_r: 2,432 + 25,632 + 51,264 + 576·10+10 (floor; 32, 15, 7, 3) or 1024·10+10 (ceil; 32, 16, 8, 4)
//     2,457,600 + 15²·25,600 + 7²·51,200 + 5,760 = 10,732,160; 2,457,600 + 6,553,600 + 3,276,800 + 10,240 =
//     12,298,240
//   fcn_r: 784·2048, 2048·4096, 4096·1024, 1024·10 = 14,198,784 weights, 7,178 biases; published: 13,707,264
//   inception_block: 160 + 136 + 1,168 + 68 + 808 + 136 + 410; 28²·16·9 + 14²·(128 + 1,152 + 64 + 800 + 128)
//   + 400
//     = 112,896 + 445,312 + 400 = 558,608
TEST(Zoo, NetworksHaveTheirPublishedSizes) {
  const std::vector<Size> sizes = {
      {"mnist_theano", 431'080, 2'293'000},
      {"mnist_torch", 169'506, 2'587'600},
      {"cifar10_caffe", 145'578, 12'354'176},
      {"cifar10_tensorflow", 1'068'298, 18'470'784},
      {"cifar10_torch", 416 + 25'856 + 819'328 + 1'290, 3'694'080},
      {"alexnet_r_floor", 85'098, 10'732'160},
      {"alexnet_r_ceil", 89'578, 12'298'240},
      {"fcn_r", 14'205'962, 14'198'784},
      {"fcn_r_published", 13'714'442, 13'707'264},
      {"inception_block", 3'022, 583'696},
  };
  EXPECT_EQ(sizes.size() + 1, entries().size());  // and lenet
  for (const Size& size : sizes) {
    const model::Graph graph = find(size.name)->build();
    EXPECT_EQ(model::parameter_count(graph), size.parameters) << size.name;
    EXPECT_EQ(model::macs_per_sample(graph), size.macs) << size.name;
  }
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
