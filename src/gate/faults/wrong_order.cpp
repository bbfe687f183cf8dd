#include <algorithm>

#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (experiment.batches.size() < 2) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  std::ranges::reverse(work.experiment.batches);
  return work;
}

}  // namespace

Fault wrong_order() {
  return {"wrong_order", "the same batches arrive in another order", "lenet", apply};
}

}  // namespace dlbench::gate
