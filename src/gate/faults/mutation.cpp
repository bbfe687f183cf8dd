#include "gate/faults/mutation.hpp"

#include <utility>

#include "base/error.hpp"
#include "gate/masks.hpp"

namespace dlbench::gate {

std::optional<FaultyWork> on_graph(const Experiment& experiment, model::Graph graph) {
  try {
    graph = model::complete(std::move(graph));
  } catch (const base::UserError&) {
    return std::nullopt;  // e.g. a kernel that no longer fits: the fault is not possible here
  }
  FaultyWork work{experiment, {}};
  model::Weights weights = model::initial_weights(graph, experiment.recipe.initialiser);
  for (std::size_t i = 0; i < weights.size() && i < experiment.weights.size(); ++i) {
    if (weights[i].shape == experiment.weights[i].shape) {
      weights[i] = experiment.weights[i];
    }
  }
  work.experiment.graph = std::move(graph);
  work.experiment.weights = std::move(weights);
  return work;
}

std::optional<FaultyWork> on_rates(const Experiment& experiment, double (*changed)(double rate)) {
  if (dropout_rates(experiment.graph).empty()) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.experiment.graph = with_dropout_rates(experiment.graph, changed);
  return work;
}

}  // namespace dlbench::gate
