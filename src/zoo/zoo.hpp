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

// Caffe's LeNet for 28×28 grey images: 431,080 parameters, 2,293,000 multiply-adds a sample.
[[nodiscard]] model::Graph lenet();

}  // namespace dlbench::zoo
