#include <utility>

#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  model::Graph graph = experiment.graph;
  bool changed = false;
  for (model::Node& node : graph.nodes) {
    if (node.op == "max_pool" && !model::flag(node, "ceil_mode")) {
      node.attributes["ceil_mode"] = true;
      changed = true;
    }
  }
  return changed ? on_graph(experiment, std::move(graph)) : std::nullopt;
}

}  // namespace

Fault ceil_pooling() {
  return {"ceil_pooling", "pooling rounds its extents up instead of down (Caffe)", "odd_pool", apply};
}

}  // namespace dlbench::gate
