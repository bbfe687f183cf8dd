#include <utility>
#include <vector>

#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  model::Graph graph = experiment.graph;
  std::vector<model::Node*> dense;
  for (model::Node& node : graph.nodes) {
    if (node.op == "dense") {
      dense.push_back(&node);
    }
  }
  if (dense.size() < 3) {  // two hidden ones and the logits
    return std::nullopt;
  }
  model::Attribute& first = dense[0]->attributes["out_features"];
  model::Attribute& second = dense[1]->attributes["out_features"];
  if (first == second) {
    return std::nullopt;
  }
  std::swap(first, second);
  return on_graph(experiment, std::move(graph));
}

}  // namespace

Fault swapped_hidden_sizes() {
  return {"swapped_hidden_sizes", "the sizes of the first two hidden layers are swapped", "two_hidden",
          apply};
}

}  // namespace dlbench::gate
