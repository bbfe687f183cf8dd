// What the files of this folder share: turning an experiment into the work that a faulty program would do.
#pragma once

#include <optional>
#include <string>

#include "gate/fault.hpp"

namespace dlbench::gate {

[[nodiscard]] inline bool trains(const Experiment& experiment) {
  return !experiment.rates.empty();
}

// Whether logits in evaluation mode are judged, after training or without any.
[[nodiscard]] inline bool evaluates(const Experiment& experiment) {
  return !trains(experiment) || experiment.evaluates;
}

// The experiment on another graph: derived facts are worked out anew; weights whose shape stays are kept,
// others get initial values. nullopt: the new graph is not valid.
[[nodiscard]] std::optional<FaultyWork> on_graph(const Experiment& experiment, model::Graph graph);

// The experiment with other dropout rates; nullopt: it drops nothing.
[[nodiscard]] std::optional<FaultyWork> on_rates(const Experiment& experiment,
                                                 double (*changed)(double rate));

// The experiment with rate i multiplied by factor(i).
template <class Factor>
[[nodiscard]] FaultyWork with_rates(const Experiment& experiment, Factor factor) {
  FaultyWork work{experiment, {}};
  for (std::size_t i = 0; i < work.experiment.rates.size(); ++i) {
    work.experiment.rates[i] *= factor(i);
  }
  return work;
}

}  // namespace dlbench::gate
