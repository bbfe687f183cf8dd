#include "optimizer.hpp"
#include "state.hpp"

namespace runner {

namespace {

using dlbench::model::Optimizer;
using dlbench::model::SgdForm;

TF_Operation* add_descent(Graph& graph, const Variable& variable, TF_Output rate) {
  return Op(graph, "ResourceApplyGradientDescent")
      .input(variable.handle)
      .input(rate)
      .input(variable.gradient)
      .finish();
}

// ResourceApplyMomentum is v <- momentum * v + g; w <- w - rate * v. ResourceApplyKerasMomentum keeps the
// rate inside: v <- momentum * v - rate * g; w <- w + v.
TF_Operation* add_momentum(Network& network, const Optimizer& wanted, Variable& variable, TF_Output rate) {
  Graph& graph = network.graph();
  const char* type =
      wanted.form == SgdForm::rate_outside ? "ResourceApplyMomentum" : "ResourceApplyKerasMomentum";
  return Op(graph, type)
      .input(variable.handle)
      .input(add_slot(network, variable, "velocity"))
      .input(rate)
      .input(variable.gradient)
      .input(graph.constant(static_cast<float>(wanted.momentum)))
      .flag("use_nesterov", wanted.nesterov)
      .finish();
}

}  // namespace

std::vector<TF_Operation*> add_sgd(Network& network, const Optimizer& wanted, TF_Output rate) {
  return update_each(network, [&](Variable& variable) {
    return wanted.momentum == 0.0 ? add_descent(network.graph(), variable, rate)
                                  : add_momentum(network, wanted, variable, rate);
  });
}

}  // namespace runner
