// Operators that read several values.
#include "ops.hpp"

namespace runner {

namespace {

using dlbench::model::Node;
using Gradients = std::vector<TF_Output>;

Gradients outputs_of(const Network& network, const Inputs& inputs) {
  Gradients outputs;
  for (const Value& input : inputs) {
    outputs.push_back(network.output(input));
  }
  return outputs;
}

// First extent of each value that the node reads.
Extents widths(const Network& network, const Node& node) {
  Extents all;
  for (const std::string& name : node.inputs) {
    all.push_back(shape_of(network, name)[0]);
  }
  return all;
}

}  // namespace

Value add(Network& network, const Node& /*node*/, const Inputs& inputs) {
  const Gradients terms = outputs_of(network, inputs);
  const TF_Output sum = terms.size() == 2 ? network.graph().apply("AddV2", terms)
                                          : Op(network.graph(), "AddN").list(terms).result();
  return network.add(sum, inputs,
                     [count = inputs.size()](TF_Output gradient) { return Gradients(count, gradient); });
}

// The first extent: channels are the last axis, of pictures as of features; positions are the first one.
Value concat(Network& network, const Node& node, const Inputs& inputs) {
  Graph& graph = network.graph();
  const std::int32_t axis = node.output_shape.size() == 3 ? 3 : 1;
  const TF_Output joined =
      Op(graph, "ConcatV2").list(outputs_of(network, inputs)).input(graph.integer(axis)).result();
  return network.add(joined, inputs, [=, &graph, parts = widths(network, node)](TF_Output gradient) {
    TF_Operation* split = Op(graph, "SplitV")
                              .input(gradient)
                              .input(graph.integers(parts))
                              .input(graph.integer(axis))
                              .integer("num_split", static_cast<std::int64_t>(parts.size()))
                              .finish();
    Gradients gradients;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      gradients.push_back({split, static_cast<int>(i)});
    }
    return gradients;
  });
}

}  // namespace runner
