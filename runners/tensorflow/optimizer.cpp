#include "optimizer.hpp"

namespace runner {

namespace {

using dlbench::model::Optimizer;
using dlbench::model::SgdForm;

// The gradient of the loss with the penalty λ/2 · Σw².
TF_Output decayed_gradient(Graph& graph, const Optimizer& wanted, const Variable& variable) {
  if (wanted.weight_decay == 0.0 || !dlbench::model::decays(variable.role, wanted)) {
    return variable.gradient;
  }
  const TF_Output decay = graph.constant(static_cast<float>(wanted.weight_decay));
  return graph.apply("AddV2", {variable.gradient, graph.apply("Mul", {decay, variable.value})});
}

void add_velocity(Graph& graph, Variable& variable) {
  variable.velocity = Op(graph, "VarHandleOp")
                          .text("shared_name", variable.name + ".velocity")
                          .type("dtype", TF_FLOAT)
                          .shape("shape", variable.shape)
                          .result();
  variable.clear = Op(graph, "AssignVariableOp")
                       .input(variable.velocity)
                       .input(graph.apply("ZerosLike", {variable.given}))
                       .type("dtype", TF_FLOAT)
                       .finish();
}

// ResourceApplyMomentum is v <- momentum * v + g; w <- w - rate * v. ResourceApplyKerasMomentum keeps the
// rate inside: v <- momentum * v - rate * g; w <- w + v.
TF_Operation* add_sgd_update(Graph& graph, const Optimizer& wanted, Variable& variable, TF_Output rate) {
  const TF_Output gradient = decayed_gradient(graph, wanted, variable);
  if (wanted.momentum == 0.0) {
    return Op(graph, "ResourceApplyGradientDescent")
        .input(variable.handle)
        .input(rate)
        .input(gradient)
        .finish();
  }
  add_velocity(graph, variable);
  const char* type =
      wanted.form == SgdForm::rate_outside ? "ResourceApplyMomentum" : "ResourceApplyKerasMomentum";
  return Op(graph, type)
      .input(variable.handle)
      .input(variable.velocity)
      .input(rate)
      .input(gradient)
      .input(graph.constant(static_cast<float>(wanted.momentum)))
      .finish();
}

std::vector<TF_Operation*> add_sgd(Network& network, const Optimizer& wanted, TF_Output rate) {
  std::vector<TF_Operation*> updates;
  for (Variable& variable : network.variables()) {
    if (dlbench::model::is_statistic(variable.role)) {
      continue;
    }
    updates.push_back(add_sgd_update(network.graph(), wanted, variable, rate));
  }
  return updates;
}

}  // namespace

const dlbench::sdk::Table<AddUpdates>& optimizers() {
  static const dlbench::sdk::Table<AddUpdates> table("optimizer", {{"sgd", add_sgd}});
  return table;
}

}  // namespace runner
