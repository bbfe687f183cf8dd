#include "averages.hpp"

#include "state.hpp"

namespace runner {

namespace {

// 1 - d, the share of the weights in this step's averages.
TF_Output share_of_step(Network& network, const dlbench::model::WeightEma& wanted) {
  Graph& graph = network.graph();
  if (!wanted.ramp) {
    return graph.constant(static_cast<float>(1.0 - wanted.decay));
  }
  const TF_Output count = add_step_count(network, "averages.steps");
  const TF_Output steps = Op(graph, "Cast").input(count).type("DstT", TF_FLOAT).result();
  const TF_Output above = graph.apply("AddV2", {graph.constant(1.0F), steps});
  const TF_Output below = graph.apply("AddV2", {graph.constant(10.0F), steps});
  const TF_Output decay = graph.apply(
      "Minimum", {graph.constant(static_cast<float>(wanted.decay)), graph.apply("RealDiv", {above, below})});
  return graph.apply("Sub", {graph.constant(1.0F), decay});
}

}  // namespace

// The operations of tf.train.ExponentialMovingAverage: average <- average - (average - weight) (1 - d).
std::vector<TF_Operation*> add_averages(Network& network, const dlbench::model::WeightEma& wanted,
                                        std::vector<TF_Operation*> updates) {
  Graph& graph = network.graph();
  const TF_Output share = share_of_step(network, wanted);
  Op all(graph, "NoOp");
  for (TF_Operation* update : updates) {
    all.after(update);
  }
  TF_Operation* updated = all.finish();
  for (Variable* variable : network.trained()) {
    const TF_Output handle = add_state(network, *variable, "average", variable->given);
    variable->average = Op(graph, "ReadVariableOp").input(handle).type("dtype", TF_FLOAT).result();
    const TF_Output weight =
        Op(graph, "ReadVariableOp").input(variable->handle).type("dtype", TF_FLOAT).after(updated).result();
    const TF_Output distance = graph.apply("Sub", {*variable->average, weight});
    updates.push_back(Op(graph, "AssignSubVariableOp")
                          .input(handle)
                          .input(graph.apply("Mul", {distance, share}))
                          .type("dtype", TF_FLOAT)
                          .finish());
  }
  return updates;
}

}  // namespace runner
