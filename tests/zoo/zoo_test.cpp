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
//   mnist_tensorflow: 832 + 51,264 + 3136·1024+1024 + 10,250; 28²·32·25 + 14²·64·800 + 3,211,264 + 10,240
//     = 627,200 + 10,035,200 + 3,221,504 = 13,883,904
//   resnet56, scales and shifts counted, statistics not: stem 432 + 32; stage 1: 9 (2·2304 + 64);
//     stage 2: 4608 + 9216 + 128 + projection 512 + 64, 8 (2·9216 + 128); stage 3: 18,432 + 36,864 + 256 +
//     2048 + 128, 8 (2·36,864 + 256); 650: 464 + 42,048 + 163,008 + 649,600 + 650 = 855,770.
//     1024·432, 18·1024·2304, 256 (4608 + 17·9216 + 512), 64 (18,432 + 17·36,864 + 2048), 640
//     = 442,368 + 42,467,328 + 41,418,752 + 41,418,752 + 640 = 125,747,840
//   tartu_mnist: 320 + 18,496 + 9216·128+128 + 1,290; 26²·32·9 + 24²·64·288 + 1,179,648 + 1,280 = 11,992,448
//   tartu_cifar10: 896 + 9,248 + 18,496 + 36,928 + 2304·512+512 + 5,130; 32²·864 + 30²·9216 + 15²·18,432 +
//     13²·36,864 + 1,179,648 + 5,120 = 20,741,120
//   tartu_cifar100: 3,584 + 147,584 + 295,168 + 590,080 + 1,180,160 + 2,359,808 + 2048·1024+1024 + 102,500;
//     32²·3456 + 30²·147,456 + 15²·294,912 + 13²·589,824 + 6²·1,179,648 + 4²·2,359,296 + 2,097,152 + 102,400
//   tartu_svhn: 3,648 + 76,864 + 204,928 + 512,160 + 768,192 + 3·921,792, scales and shifts 2·1120,
//     768·3072+3072, 30,730; 32²·3600 + 16²·76,800 + 16²·204,800 + 8²·512,000 + 8²·768,000 +
//     (16 + 16 + 4)·921,600 + 2,359,296 + 30,720 = 193,263,616
//   lstm_lm: 10,000·256 twice and 10,000, 2 (1024·512 + 1024); 32 (2·524,288 + 2,560,000)
//   lstm_ptb: 10,000·200 twice and 10,000, 2 (800·400 + 800); 30 (2·320,000 + 2,000,000)
//   lstm_imdb: 5000·32, 400·132 + 400, 101; 500·52,800 + 100
TEST(Zoo, NetworksHaveTheirPublishedSizes) {
  const std::vector<Size> sizes = {
      {"mnist_tensorflow", 3'274'634, 13'883'904},
      {"mnist_theano", 431'080, 2'293'000},
      {"mnist_torch", 169'506, 2'587'600},
      {"cifar10_caffe", 145'578, 12'354'176},
      {"cifar10_tensorflow", 1'068'298, 18'470'784},
      {"cifar10_torch", 416 + 25'856 + 819'328 + 1'290, 3'694'080},
      {"alexnet_r_floor", 85'098, 10'732'160},
      {"alexnet_r_ceil", 89'578, 12'298'240},
      {"fcn_r", 14'205'962, 14'198'784},
      {"fcn_r_published", 13'714'442, 13'707'264},
      {"resnet56", 855'770, 125'747'840},
      {"tartu_mnist", 1'199'882, 11'992'448},
      {"tartu_cifar10", 1'250'858, 20'741'120},
      {"tartu_cifar100", 6'777'060, 384'700'416},
      {"tartu_svhn", 6'726'506, 193'263'616},
      {"lstm_lm", 6'180'624, 115'474'432},
      {"lstm_ptb", 4'651'600, 79'200'000},
      {"lstm_imdb", 213'301, 26'400'100},
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
