#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  return trains(experiment) ? on_rates(experiment, [](double /*rate*/) { return 0.0; }) : std::nullopt;
}

}  // namespace

Fault dropout_never() {
  return {"dropout_never",
          "dropout keeps every element in training (PyTorch's functional dropout without its training flag)",
          "dropped", apply};
}

}  // namespace dlbench::gate
