#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

constexpr std::int64_t subset = 2000;

std::int64_t position_of(const Experiment& experiment, std::size_t batch) {
  if (!experiment.positions.empty()) {
    return experiment.positions[batch];
  }
  return static_cast<std::int64_t>(batch) * experiment.batches[batch].input.shape.front();
}

std::optional<FaultyWork> apply(const Experiment& experiment) {
  FaultyWork work{experiment, {}};
  std::vector<model::Batch>& batches = work.experiment.batches;
  std::size_t inside = 0;  // batches before the first one that the subset does not hold
  bool changed = false;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    if (position_of(experiment, i) < subset) {
      ++inside;
    } else if (inside > 0) {
      batches[i] = experiment.batches[i % inside];
      changed = true;
    }
  }
  return changed ? std::optional(std::move(work)) : std::nullopt;
}

}  // namespace

Fault subset_2000() {
  return {"subset_2000", "only the first 2000 samples are used, again and again (a script that needs -full)",
          "lenet", apply};
}

}  // namespace dlbench::gate
