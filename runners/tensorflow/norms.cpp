// What differs between training and evaluation. The gradients are the operations that TensorFlow's registry
// adds.
#include "ops.hpp"

namespace runner {

namespace {

using dlbench::model::Node;
using dlbench::model::real;
using dlbench::sdk::Layout;
using Gradients = std::vector<TF_Output>;

void set_attributes(Op& op, const Node& node, bool is_training) {
  op.number("epsilon", real(node, "epsilon")).flag("is_training", is_training);
}

// The kernel takes pictures only: features are pictures of one cell.
TF_Output as_picture(Graph& graph, const Node& node, TF_Output values) {
  return node.output_shape.size() == 3
             ? values
             : graph.apply("Reshape", {values, graph.integers({-1, 1, 1, node.output_shape[0]})});
}

TF_Output as_value(Graph& graph, const Node& node, TF_Output picture) {
  return node.output_shape.size() == 3
             ? picture
             : graph.apply("Reshape", {picture, graph.integers({-1, node.output_shape[0]})});
}

// Places of the node's variables: scale, shift, mean, variance.
std::vector<std::size_t> add_variables(Network& network, const Node& node) {
  std::vector<std::size_t> places;
  for (const auto& parameter : node.parameters) {
    places.push_back(network.add_variable(parameter, Layout(parameter.shape)));
  }
  return places;
}

// With an averaging factor the operator itself makes the new running statistics, from the unbiased variance.
TF_Operation* add_forward(Network& network, const Node& node, TF_Output picture,
                          const std::vector<std::size_t>& places) {
  Op forward(network.graph(), "FusedBatchNormV3");
  forward.input(picture);
  for (const std::size_t place : places) {
    forward.input(network.read(place));
  }
  set_attributes(forward, node, network.is_training());
  if (network.is_training()) {
    forward.number("exponential_avg_factor", real(node, "momentum"));
  }
  return forward.finish();
}

}  // namespace

Value batch_norm(Network& network, const Node& node, const Inputs& inputs) {
  Graph& graph = network.graph();
  const std::vector<std::size_t> places = add_variables(network, node);
  const TF_Output x = as_picture(graph, node, network.output(inputs[0]));
  TF_Operation* forward = add_forward(network, node, x, places);
  if (network.is_training()) {
    network.add_statistic(places[2], {forward, 1});
    network.add_statistic(places[3], {forward, 2});
  }
  return network.add(as_value(graph, node, {forward, 0}), inputs, [=, &network](TF_Output gradient) {
    Graph& graph = network.graph();
    Variable& scale = network.variables()[places[0]];
    Op backward(graph, "FusedBatchNormGradV3");
    backward.input(as_picture(graph, node, gradient)).input(x).input(scale.value);
    for (const int reserved : {3, 4, 5}) {
      backward.input({forward, reserved});
    }
    set_attributes(backward, node, true);
    TF_Operation* gradients = backward.finish();
    scale.gradient = {gradients, 1};
    network.variables()[places[1]].gradient = {gradients, 2};
    return Gradients{as_value(graph, node, {gradients, 0})};
  });
}

// The operations of tf.nn.dropout, which leaves them out for a rate of 0 as well.
Value dropout(Network& network, const Node& node, const Inputs& inputs) {
  const double rate = real(node, "rate");
  if (!network.is_training() || rate == 0.0) {
    return inputs[0];
  }
  Graph& graph = network.graph();
  const TF_Output x = network.output(inputs[0]);
  const TF_Output random = Op(graph, "RandomUniform")
                               .input(graph.apply("Shape", {x}))
                               .type("dtype", TF_FLOAT)
                               .integer("seed", network.seed())
                               .integer("seed2", network.next_random())
                               .result();
  const TF_Output is_kept = graph.apply("GreaterEqual", {random, graph.constant(static_cast<float>(rate))});
  const auto masked = [=, &graph](TF_Output values) {
    const TF_Output scale = graph.constant(static_cast<float>(1.0 / (1.0 - rate)));
    return graph.apply("SelectV2", {is_kept, graph.apply("Mul", {values, scale}), graph.constant(0.0F)});
  };
  Value result =
      network.add(masked(x), inputs, [=](TF_Output gradient) { return Gradients{masked(gradient)}; });
  result.channels_last = inputs[0].channels_last;
  return result;
}

}  // namespace runner
