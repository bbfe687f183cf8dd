#include <algorithm>

#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  const bool pools = std::ranges::any_of(experiment.graph.nodes,
                                         [](const model::Node& node) { return node.op == "max_pool"; });
  if (!trains(experiment) || !pools) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.ties_all = true;
  return work;
}

}  // namespace

Fault ties_to_all() {
  return {"ties_to_all", "the gradient of a pooling window goes to every tied maximum", "lenet", apply};
}

}  // namespace dlbench::gate
