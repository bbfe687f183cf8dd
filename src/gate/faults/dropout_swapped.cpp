#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  return trains(experiment) ? on_rates(experiment, [](double rate) { return 1.0 - rate; }) : std::nullopt;
}

}  // namespace

Fault dropout_swapped() {
  return {"dropout_swapped",
          "the dropout rate is taken for the share that is kept (TensorFlow 1's keep_prob)", "dropped",
          apply};
}

}  // namespace dlbench::gate
