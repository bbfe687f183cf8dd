#include <cstddef>
#include <utility>
#include <vector>

#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::vector<float> transposed(const model::Tensor& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.shape[0]);
  const auto columns = static_cast<std::size_t>(matrix.shape[1]);
  std::vector<float> values(matrix.values.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      values[column * rows + row] = matrix.values[row * columns + column];
    }
  }
  return values;
}

std::optional<FaultyWork> apply(const Experiment& experiment) {
  FaultyWork work{experiment, {}};
  bool changed = false;
  for (model::Tensor& tensor : work.experiment.weights) {
    if (tensor.shape.size() == 2 && tensor.shape[0] > 1 && tensor.shape[1] > 1) {
      tensor.values = transposed(tensor);
      changed = true;
    }
  }
  return changed ? std::optional(std::move(work)) : std::nullopt;
}

}  // namespace

Fault transposed_weight() {
  return {"transposed_weight", "matrices are handed over in the other order (in, out), elements in place",
          "lenet", apply};
}

}  // namespace dlbench::gate
