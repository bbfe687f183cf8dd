#include <bit>
#include <cstdint>
#include <vector>

#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

// Keeps ten stored bits of the mantissa, nearest: what a tensor core in TF32 mode reads. bf16 is eight times
// coarser.
void round(std::vector<float>& values) {
  constexpr std::uint32_t dropped_bits = 13;
  for (float& value : values) {
    const auto bits = std::bit_cast<std::uint32_t>(value) + (1U << (dropped_bits - 1U));
    value = std::bit_cast<float>(bits & ~((1U << dropped_bits) - 1U));
  }
}

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (trains(experiment)) {
    return std::nullopt;  // the rounding of the weights themselves would pass for a step
  }
  FaultyWork work{experiment, {}};
  for (model::Tensor& tensor : work.experiment.weights) {
    round(tensor.values);
  }
  if (model::input_kind(experiment.graph) == model::InputKind::real) {  // tokens are no numbers to round
    for (model::Batch& batch : work.experiment.batches) {
      round(batch.input.values);
    }
  }
  return work;
}

}  // namespace

Fault reduced_precision() {
  return {"reduced_precision", "inputs and weights are rounded to eleven significant bits (TF32) before use",
          "lenet", apply};
}

}  // namespace dlbench::gate
