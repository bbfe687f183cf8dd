#include <algorithm>
#include <utility>

#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

// Both axes of a plane reversed is the plane's elements in reverse order.
void flip(model::Tensor& kernels) {
  const std::int64_t plane = kernels.shape[2] * kernels.shape[3];
  for (auto at = kernels.values.begin(); at != kernels.values.end(); at += plane) {
    std::reverse(at, at + plane);
  }
}

std::optional<FaultyWork> apply(const Experiment& experiment) {
  FaultyWork work{experiment, {}};
  bool changed = false;
  for (model::Tensor& tensor : work.experiment.weights) {
    if (tensor.shape.size() == 4 && tensor.shape[2] * tensor.shape[3] > 1) {
      flip(tensor);
      changed = true;
    }
  }
  return changed ? std::optional(std::move(work)) : std::nullopt;
}

}  // namespace

Fault flipped_kernel() {
  return {"flipped_kernel",
          "kernels are flipped: convolution in the strict sense instead of cross-correlation", "lenet",
          apply};
}

}  // namespace dlbench::gate
