// Operators of sequences: [rows, positions] of tokens, [rows, positions, features].
#include "ops.hpp"

namespace runner {

namespace {

using dlbench::model::flag;
using dlbench::model::integer;
using dlbench::model::Node;
using dlbench::sdk::Layout;
using Gradients = std::vector<TF_Output>;

// Samples and positions change places: the fused kernel has positions first.
TF_Output swapped(Graph& graph, TF_Output values) {
  return graph.apply("Transpose", {values, graph.integers({1, 0, 2})});
}

// As many rows as `x`, which has positions first, has samples.
TF_Output zero_state(Graph& graph, TF_Output x, std::int64_t hidden) {
  const TF_Output rows = Op(graph, "Slice")
                             .input(graph.apply("Shape", {x}))
                             .input(graph.integers({1}))
                             .input(graph.integers({1}))
                             .result();
  const TF_Output shape =
      Op(graph, "ConcatV2").list({rows, graph.integers({hidden})}).input(graph.integer(0)).result();
  return graph.apply("Fill", {shape, graph.constant(0.0F)});
}

// Places of the variables of a node: both matrices transposed, and the bias.
std::vector<std::size_t> add_variables(Network& network, const Node& node) {
  std::vector<std::size_t> places;
  for (const auto& parameter : node.parameters) {
    const Layout layout(parameter.shape);
    places.push_back(
        network.add_variable(parameter, parameter.shape.size() == 2 ? layout.transpose() : layout));
  }
  return places;
}

// Inputs of the fused kernel, which its gradient reads again: length, x, c, h, weights [in + hidden, 4
// hidden], three peepholes that are not used, bias.
Gradients kernel_inputs(Network& network, const Node& node, TF_Output x,
                        const std::vector<std::size_t>& places) {
  Graph& graph = network.graph();
  const std::int64_t hidden = integer(node, "hidden");
  const auto value = [&](std::size_t i) { return network.read(places[i]); };
  const TF_Output positions = graph.integer(static_cast<std::int32_t>(input_shape(network, node)[0]));
  const TF_Output length = Op(graph, "Cast").input(positions).type("DstT", TF_INT64).result();
  const TF_Output zero = zero_state(graph, x, hidden);
  const TF_Output weights = Op(graph, "ConcatV2").list({value(0), value(1)}).input(graph.integer(0)).result();
  const TF_Output peephole =
      graph.constant({hidden}, std::vector<float>(static_cast<std::size_t>(hidden), 0.0F));
  return {length, x, zero, zero, weights, peephole, peephole, peephole, value(2)};
}

// Adds the fused gradient and returns that of `x`. `read`: the inputs of `forward`.
TF_Output add_gradients(Network& network, const Gradients& read, TF_Operation* forward,
                        const std::vector<std::size_t>& places, TF_Output gradient) {
  Graph& graph = network.graph();
  Op backward(graph, "BlockLSTMGradV2");
  for (const TF_Output input : read) {
    backward.input(input);
  }
  for (int i = 0; i < TF_OperationNumOutputs(forward); ++i) {
    backward.input({forward, i});
  }
  const TF_Output of_cells = graph.apply("ZerosLike", {{forward, 1}});  // nothing reads the cells
  TF_Operation* gradients = backward.input(of_cells).input(gradient).flag("use_peephole", false).finish();
  const auto variable = [&](std::size_t i) -> Variable& { return network.variables()[places[i]]; };
  TF_Operation* parts = Op(graph, "SplitV")
                            .input({gradients, 3})
                            .input(graph.integers({variable(0).shape[0], variable(1).shape[0]}))
                            .input(graph.integer(0))
                            .integer("num_split", 2)
                            .finish();
  variable(0).gradient = {parts, 0};
  variable(1).gradient = {parts, 1};
  variable(2).gradient = {gradients, 7};
  return {gradients, 0};
}

Value last_position(Network& network, const Value& states) {
  Graph& graph = network.graph();
  const TF_Output h = network.output(states);
  const Gradients place{graph.integers({-1}), graph.integers({0}), graph.integers({1})};
  const TF_Output last = Op(graph, "StridedSlice")
                             .input(h)
                             .input(place[0])
                             .input(place[1])
                             .input(place[2])
                             .integer("shrink_axis_mask", 1)
                             .result();
  return network.add(last, {states}, [=, &graph](TF_Output gradient) {
    Op backward(graph, "StridedSliceGrad");
    backward.input(graph.apply("Shape", {h})).input(place[0]).input(place[1]).input(place[2]);
    return Gradients{backward.input(gradient).integer("shrink_axis_mask", 1).result()};
  });
}

}  // namespace

// The gradient is what TensorFlow makes of the IndexedSlices of tf.nn.embedding_lookup where it wants them
// dense: decay and momentum then move every row.
Value embedding(Network& network, const Node& node, const Inputs& inputs) {
  Graph& graph = network.graph();
  const auto& weight = node.parameters.front();
  const std::size_t place = network.add_variable(weight, Layout(weight.shape));
  const TF_Output tokens = network.output(inputs[0]);
  const TF_Output rows = graph.apply("GatherV2", {network.read(place), tokens, graph.integer(0)});
  return network.add(rows, inputs, [=, &network](TF_Output gradient) {
    Graph& graph = network.graph();
    const Extents& shape = network.variables()[place].shape;
    const TF_Output flat = graph.apply("Reshape", {gradient, graph.integers({-1, shape[1]})});
    const TF_Output which = graph.apply("Reshape", {tokens, graph.integers({-1})});
    network.variables()[place].gradient =
        graph.apply("UnsortedSegmentSum", {flat, which, graph.integer(static_cast<std::int32_t>(shape[0]))});
    return Gradients{};  // tokens have none
  });
}

// Blocks of columns i, f, g, o, no forget bias and no clipping of the cells: BlockLSTMV2's own conventions.
Value lstm(Network& network, const Node& node, const Inputs& inputs) {
  Graph& graph = network.graph();
  const std::vector<std::size_t> places = add_variables(network, node);
  const Gradients read = kernel_inputs(network, node, swapped(graph, network.output(inputs[0])), places);
  Op kernel(graph, "BlockLSTMV2");
  for (const TF_Output input : read) {
    kernel.input(input);
  }
  TF_Operation* forward = kernel.number("cell_clip", 0.0).flag("use_peephole", false).finish();
  const TF_Output h{forward, 6};
  const Value states = network.add(h, inputs, [=, &network](TF_Output gradient) {
    const TF_Output of_x = add_gradients(network, read, forward, places, gradient);
    return Gradients{swapped(network.graph(), of_x)};
  });
  if (flag(node, "last_only")) {
    return last_position(network, states);
  }
  return network.add(swapped(graph, h), {states}, [&network](TF_Output gradient) {
    return Gradients{swapped(network.graph(), gradient)};
  });
}

}  // namespace runner
