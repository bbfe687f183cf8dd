// Weights of a network that is compiled with them inside: put hands over one tensor at a time, compiling
// wants all.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "model/graph.hpp"
#include "model/tensor.hpp"
#include "runner_sdk/cpp/session.hpp"

namespace dlbench::sdk {

class CollectedWeights {
 public:
  // Zeros in the shapes of the graph's parameters, so that it can be compiled before anything is put.
  explicit CollectedWeights(const model::Graph& graph);

  // Takes one; true where with it all have been put since this was last true: time to compile.
  [[nodiscard]] bool put(const Parameter& parameter, ConstTensor values);
  // In graph order.
  [[nodiscard]] const model::Weights& weights() const { return weights_; }

 private:
  std::vector<Parameter> parameters_;
  model::Weights weights_;
  std::set<std::size_t> fresh_;  // put since the last time that all were
};

}  // namespace dlbench::sdk
