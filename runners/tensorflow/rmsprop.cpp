#include "optimizer.hpp"
#include "state.hpp"

namespace runner {

namespace {

using dlbench::model::Optimizer;
using dlbench::sdk::Unsupported;

// The operators are d = g / sqrt(q + epsilon); v <- momentum * v + rate * d; w <- w - v.
void refuse_other_forms(const Optimizer& wanted) {
  if (wanted.epsilon_place != dlbench::model::EpsilonPlace::inside) {
    throw Unsupported("rmsprop with epsilon outside the root");
  }
  if (wanted.momentum != 0.0 && wanted.form != dlbench::model::SgdForm::rate_inside) {
    throw Unsupported("rmsprop with momentum in the form rate_outside");
  }
}

}  // namespace

std::vector<TF_Operation*> add_rmsprop(Network& network, const Optimizer& wanted, TF_Output rate) {
  refuse_other_forms(wanted);
  Graph& graph = network.graph();
  const TF_Output rho = graph.constant(static_cast<float>(wanted.rho));
  const TF_Output momentum = graph.constant(static_cast<float>(wanted.momentum));
  const TF_Output epsilon = graph.constant(static_cast<float>(wanted.epsilon));
  return update_each(network, [&](Variable& variable) {
    Op update(graph, wanted.centered ? "ResourceApplyCenteredRMSProp" : "ResourceApplyRMSProp");
    update.input(variable.handle);
    if (wanted.centered) {
      update.input(add_slot(network, variable, "mean"));
    }
    update.input(add_slot(network, variable, "squares", wanted.initial_accumulator))
        .input(add_slot(network, variable, "velocity"))
        .input(rate)
        .input(rho)
        .input(momentum)
        .input(epsilon)
        .input(variable.gradient);
    return update.finish();
  });
}

}  // namespace runner
