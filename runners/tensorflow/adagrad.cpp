#include "optimizer.hpp"
#include "state.hpp"

namespace runner {

// The operator's second version is the one with an epsilon.
std::vector<TF_Operation*> add_adagrad(Network& network, const dlbench::model::Optimizer& wanted,
                                       TF_Output rate) {
  Graph& graph = network.graph();
  const TF_Output epsilon = graph.constant(static_cast<float>(wanted.epsilon));
  return update_each(network, [&](Variable& variable) {
    return Op(graph, "ResourceApplyAdagradV2")
        .input(variable.handle)
        .input(add_slot(network, variable, "squares", wanted.initial_accumulator))
        .input(rate)
        .input(epsilon)
        .input(variable.gradient)
        .finish();
  });
}

}  // namespace runner
