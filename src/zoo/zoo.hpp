// Named networks, one file per family.
#pragma once

#include <string>
#include <vector>

#include "model/graph.hpp"

namespace dlbench::zoo {

struct Entry {
  std::string name;
  std::string sentence;     // what it is and where it was published
  model::Graph (*build)();  // completed
};

[[nodiscard]] const std::vector<Entry>& entries();
// nullptr when unknown.
[[nodiscard]] const Entry* find(const std::string& name);

// Parameters and multiply-adds of each are derived in tests/zoo.
[[nodiscard]] model::Graph lenet();
[[nodiscard]] model::Graph mnist_tensorflow();
[[nodiscard]] model::Graph mnist_theano();
[[nodiscard]] model::Graph mnist_torch();
[[nodiscard]] model::Graph cifar10_caffe();
[[nodiscard]] model::Graph cifar10_tensorflow();
[[nodiscard]] model::Graph cifar10_torch();
[[nodiscard]] model::Graph alexnet_r_floor();
[[nodiscard]] model::Graph alexnet_r_ceil();
[[nodiscard]] model::Graph fcn_r();
[[nodiscard]] model::Graph fcn_r_published();
[[nodiscard]] model::Graph lstm_imdb();
[[nodiscard]] model::Graph lstm_lm();
[[nodiscard]] model::Graph lstm_ptb();
[[nodiscard]] model::Graph resnet56();
[[nodiscard]] model::Graph tartu_mnist();
[[nodiscard]] model::Graph tartu_cifar10();
[[nodiscard]] model::Graph tartu_cifar100();
[[nodiscard]] model::Graph tartu_svhn();
[[nodiscard]] model::Graph inception_block();

}  // namespace dlbench::zoo
