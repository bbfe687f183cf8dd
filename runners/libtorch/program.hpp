// A network as libtorch's eager mode sees it: modules that own parameters and a list of calls in execution
// order.
#pragma once

#include <torch/torch.h>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace runner {

// Number of a value: 0 is the network's input, i + 1 the result of call i.
using Value = std::size_t;
using Values = std::vector<torch::Tensor>;

// Computes one value from those before it.
using Call = std::function<torch::Tensor(const Values& values)>;

// What the op table builds into. The loss is not a call: evaluation has none.
struct Network : torch::nn::Module {
  std::vector<Call> calls;

  Value add(Call call) {
    calls.push_back(std::move(call));
    return calls.size();
  }
  // A call that reads one value.
  template <class Forward>
  Value add(Value input, Forward forward) {
    return add(Call([input, forward](const Values& values) { return forward(values[input]); }));
  }
};

}  // namespace runner
