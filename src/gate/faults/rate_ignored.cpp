#include <algorithm>

#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  FaultyWork work{experiment, {}};
  std::vector<double>& rates = work.experiment.rates;
  if (std::ranges::all_of(rates, [&](double rate) { return rate == rates.front(); })) {
    return std::nullopt;
  }
  std::ranges::fill(rates, rates.front());
  return work;
}

}  // namespace

Fault rate_ignored() {
  return {"rate_ignored", "the learning rate stays where it started although the schedule changes it",
          "lenet", apply};
}

}  // namespace dlbench::gate
