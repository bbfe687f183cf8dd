#include "zoo/zoo.hpp"

namespace dlbench::zoo {

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {"lenet", "Caffe's LeNet for 28x28 grey images (examples/mnist/lenet_train_test.prototxt)", &lenet},
  };
  return all;
}

const Entry* find(const std::string& name) {
  for (const Entry& entry : entries()) {
    if (entry.name == name) {
      return &entry;
    }
  }
  return nullptr;
}

}  // namespace dlbench::zoo
