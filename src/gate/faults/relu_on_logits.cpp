#include <utility>

#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  model::Graph graph = experiment.graph;
  model::Node relu;
  relu.name = "fault_relu";
  relu.op = "relu";
  relu.inputs = {model::logits_name(graph)};
  graph.nodes.back().inputs.front() = relu.name;
  graph.nodes.insert(graph.nodes.end() - 1, relu);
  return on_graph(experiment, std::move(graph));
}

}  // namespace

Fault relu_on_logits() {
  return {"relu_on_logits", "a relu stands between the last layer and the loss", "lenet", apply};
}

}  // namespace dlbench::gate
