#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!trains(experiment)) {
    return std::nullopt;
  }
  return with_rates(experiment, [](std::size_t) { return 10.0; });
}

}  // namespace

Fault rate_times_ten() {
  return {"rate_times_ten", "the learning rate is ten times too large", "lenet", apply};
}

}  // namespace dlbench::gate
