#include "gate/faults/mutation.hpp"

#include <utility>

#include "base/error.hpp"

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

}  // namespace dlbench::gate
