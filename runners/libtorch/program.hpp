// A network as libtorch's eager mode sees it: modules that own parameters and a list of calls in execution
// order.
#pragma once

#include <torch/torch.h>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "model/graph.hpp"

namespace runner {

// Number of a value: 0 is the network's input, i + 1 the result of call i.
using Value = std::size_t;
using Values = std::vector<torch::Tensor>;

// Computes one value from those before it.
struct Call {
  std::vector<Value> reads;
  std::function<torch::Tensor(const Values& values)> compute;
};

// Mean loss from the logits and the targets, [targets] of int64.
using Loss = torch::Tensor (*)(const torch::Tensor& logits, const torch::Tensor& target);

// A parameter of the graph and where a module keeps it.
struct Weights {
  dlbench::model::Parameter parameter;
  torch::Tensor values;
};

// What the op table builds into. The loss is not a call: evaluation has none, and targets come with a step
// only.
struct Network : torch::nn::Module {
  std::vector<Call> calls;
  std::vector<Weights> weights;
  Loss loss = nullptr;

  // The tensors that are the node's parameters, in the graph's order; a module without bias has an undefined
  // one behind them.
  void own(const dlbench::model::Node& node, const std::vector<torch::Tensor>& tensors) {
    for (std::size_t i = 0; i < node.parameters.size(); ++i) {
      weights.push_back({node.parameters[i], tensors.at(i)});
    }
  }
  Value add(std::vector<Value> reads, std::function<torch::Tensor(const Values& values)> compute) {
    calls.push_back({std::move(reads), std::move(compute)});
    return calls.size();
  }
  // A call that reads one value.
  template <class Forward>
  Value add(Value input, Forward forward) {
    return add(std::vector<Value>{input},
               [input, forward](const Values& values) { return forward(values[input]); });
  }
};

// Per call the values that no later call reads, but for `kept`.
[[nodiscard]] std::vector<std::vector<Value>> last_readings(const std::vector<Call>& calls, Value kept);

}  // namespace runner
