#include "optimizer.hpp"
#include "state.hpp"

namespace runner {

namespace {

using dlbench::model::Optimizer;

TF_Output single(Graph& graph, TF_Output value) {
  return Op(graph, "Cast").input(value).type("DstT", TF_FLOAT).result();
}

// 1 - beta^steps of the beta that the operator computes with.
TF_Output bias_correction(Graph& graph, double beta, TF_Output steps) {
  const TF_Output power = graph.apply("Pow", {graph.real(static_cast<float>(beta)), steps});
  return graph.apply("Sub", {graph.real(1.0), power});
}

struct Step {
  TF_Output rate;
  TF_Output epsilon;
};

// The operator adds epsilon to the uncorrected root and would correct the bias in single precision, which is
// too far off in the first steps. So rate and epsilon hold the corrections, made in double precision.
Step corrected(Network& network, const Optimizer& wanted, TF_Output rate) {
  Graph& graph = network.graph();
  const TF_Output steps = add_step_count(network, "adam.steps");
  const TF_Output root = graph.apply("Sqrt", {bias_correction(graph, wanted.beta2, steps)});
  const TF_Output factor = graph.apply("RealDiv", {root, bias_correction(graph, wanted.beta1, steps)});
  return {graph.apply("Mul", {rate, single(graph, factor)}),
          single(graph, graph.apply("Mul", {graph.real(wanted.epsilon), root}))};
}

}  // namespace

// Powers of beta that are 0 leave the operator nothing to correct.
std::vector<TF_Operation*> add_adam(Network& network, const Optimizer& wanted, TF_Output rate) {
  Graph& graph = network.graph();
  const Step step = corrected(network, wanted, rate);
  const TF_Output no_power = graph.constant(0.0F);
  const TF_Output beta1 = graph.constant(static_cast<float>(wanted.beta1));
  const TF_Output beta2 = graph.constant(static_cast<float>(wanted.beta2));
  return update_each(network, [&](Variable& variable) {
    return Op(graph, "ResourceApplyAdam")
        .input(variable.handle)
        .input(add_slot(network, variable, "mean"))
        .input(add_slot(network, variable, "square"))
        .input(no_power)
        .input(no_power)
        .input(step.rate)
        .input(beta1)
        .input(beta2)
        .input(step.epsilon)
        .input(variable.gradient)
        .finish();
  });
}

}  // namespace runner
