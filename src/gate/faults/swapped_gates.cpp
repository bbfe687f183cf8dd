#include <algorithm>
#include <cstddef>

#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

// The blocks of rows are i, f, g, o.
void swap_candidate_and_output(model::Tensor& tensor) {
  const auto quarter = static_cast<std::ptrdiff_t>(tensor.values.size() / 4);
  const auto candidate = tensor.values.begin() + 2 * quarter;
  std::swap_ranges(candidate, candidate + quarter, candidate + quarter);
}

std::optional<FaultyWork> apply(const Experiment& experiment) {
  FaultyWork work{experiment, {}};
  std::size_t parameter = 0;
  bool changed = false;
  for (const model::Node& node : experiment.graph.nodes) {
    for (std::size_t i = 0; i < node.parameters.size(); ++i, ++parameter) {
      if (node.op == "lstm") {
        swap_candidate_and_output(work.experiment.weights[parameter]);
        changed = true;
      }
    }
  }
  return changed ? std::optional(std::move(work)) : std::nullopt;
}

}  // namespace

Fault swapped_gates() {
  return {"swapped_gates", "an lstm's weights are handed over in the order i, f, o, g of other frameworks",
          "recurrent", apply};
}

}  // namespace dlbench::gate
