#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

constexpr double silent_decay = 1e-3;

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (experiment.rates.size() < 2) {
    return std::nullopt;
  }
  return with_rates(experiment,
                    [](std::size_t step) { return 1.0 / (1.0 + silent_decay * static_cast<double>(step)); });
}

}  // namespace

Fault rate_silently_decayed() {
  return {"rate_silently_decayed",
          "a decay of the learning rate that nobody asked for (rate / (1 + 1e-3 step))", "lenet", apply};
}

}  // namespace dlbench::gate
