#include "state.hpp"

namespace runner {

TF_Output add_state(Network& network, Variable& owner, const std::string& name, TF_Output start) {
  Graph& graph = network.graph();
  const TF_Output handle = Op(graph, "VarHandleOp")
                               .text("shared_name", owner.name + "." + name)
                               .type("dtype", TF_FLOAT)
                               .shape("shape", owner.shape)
                               .result();
  owner.resets.push_back(
      Op(graph, "AssignVariableOp").input(handle).input(start).type("dtype", TF_FLOAT).finish());
  return handle;
}

TF_Output add_slot(Network& network, Variable& owner, const std::string& name, double start) {
  Graph& graph = network.graph();
  const TF_Output value = graph.constant(static_cast<float>(start));
  return add_state(network, owner, name, graph.apply("Fill", {graph.integers(owner.shape), value}));
}

TF_Output add_step_count(Network& network, const std::string& name) {
  Graph& graph = network.graph();
  const TF_Output handle =
      Op(graph, "VarHandleOp").text("shared_name", name).type("dtype", TF_DOUBLE).shape("shape", {}).result();
  TF_Operation* reset =
      Op(graph, "AssignVariableOp").input(handle).input(graph.real(0.0)).type("dtype", TF_DOUBLE).finish();
  for (Variable& variable : network.variables()) {
    variable.resets.push_back(reset);
  }
  TF_Operation* count =
      Op(graph, "AssignAddVariableOp").input(handle).input(graph.real(1.0)).type("dtype", TF_DOUBLE).finish();
  return Op(graph, "ReadVariableOp").input(handle).type("dtype", TF_DOUBLE).after(count).result();
}

}  // namespace runner
