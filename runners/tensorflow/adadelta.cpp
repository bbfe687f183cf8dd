#include "optimizer.hpp"
#include "state.hpp"

namespace runner {

std::vector<TF_Operation*> add_adadelta(Network& network, const dlbench::model::Optimizer& wanted,
                                        TF_Output rate) {
  Graph& graph = network.graph();
  const TF_Output rho = graph.constant(static_cast<float>(wanted.rho));
  const TF_Output epsilon = graph.constant(static_cast<float>(wanted.epsilon));
  return update_each(network, [&](Variable& variable) {
    return Op(graph, "ResourceApplyAdadelta")
        .input(variable.handle)
        .input(add_slot(network, variable, "squares"))
        .input(add_slot(network, variable, "moves"))
        .input(rate)
        .input(rho)
        .input(epsilon)
        .input(variable.gradient)
        .finish();
  });
}

}  // namespace runner
