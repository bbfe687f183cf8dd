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

struct Call {
  Value input;  // every operator so far has one
  std::function<torch::Tensor(const torch::Tensor& input)> forward;
};

// What the op table builds into. The loss is not a call: evaluation has none.
struct Network : torch::nn::Module {
  std::vector<Call> calls;

  Value add(Value input, std::function<torch::Tensor(const torch::Tensor&)> forward) {
    calls.push_back({input, std::move(forward)});
    return calls.size();
  }
};

}  // namespace runner
