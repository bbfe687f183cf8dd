#include "ops.hpp"

#include <algorithm>

namespace runner {

namespace {

using dlbench::model::Node;
using dlbench::model::Parameter;
using dlbench::model::Shape;
using dlbench::sdk::Layout;
using Gradients = std::vector<TF_Output>;

// The same values with other extents behind the first one, which takes what is left.
Value reshaped(Network& network, const Value& value, const Extents& extents) {
  Graph& graph = network.graph();
  const TF_Output before = network.output(value);
  const TF_Output after = graph.apply("Reshape", {before, graph.integers(extents)});
  return network.add(after, {value}, [=, &graph](TF_Output gradient) {
    return Gradients{graph.apply("Reshape", {gradient, graph.apply("Shape", {before})})};
  });
}

// y = x W + b with W [in, out]; its rows follow the order in which a picture was flattened.
Value product_and_bias(Network& network, const Node& node, const Inputs& inputs) {
  const Parameter& weight = node.parameters.front();
  Layout layout(weight.shape);
  if (inputs[0].channels_last) {
    layout = layout.channels_last(1, *inputs[0].channels_last);
  }
  const std::size_t place = network.add_variable(weight, layout.transpose());
  const TF_Output x = network.output(inputs[0]);
  const TF_Output w = network.read(place);
  const Value product =
      network.add(network.graph().apply("MatMul", {x, w}), inputs, [=, &network](TF_Output gradient) {
        Graph& graph = network.graph();
        network.variables()[place].gradient =
            Op(graph, "MatMul").input(x).input(gradient).flag("transpose_a", true).result();
        return Gradients{Op(graph, "MatMul").input(gradient).input(w).flag("transpose_b", true).result()};
      });
  return add_bias(network, node, product);
}

// Positions are rows like samples, as in tf.tensordot, by which Keras computes such a layer.
Value dense(Network& network, const Node& node, const Inputs& inputs) {
  const Shape& shape = node.output_shape;
  if (shape.size() == 1) {
    return product_and_bias(network, node, inputs);
  }
  const Value rows = reshaped(network, inputs[0], {-1, input_shape(network, node).back()});
  return reshaped(network, product_and_bias(network, node, {rows}), {-1, shape[0], shape[1]});
}

// Whether every reader of `name` is a dense layer, perhaps behind an activation: then rows of the dense
// layer's weights are permuted once, and no picture is ever transposed.
bool feeds_only_dense(const dlbench::model::Graph& graph, const std::string& name) {
  return std::ranges::all_of(graph.nodes, [&](const Node& node) {
    const bool reads = std::ranges::find(node.inputs, name) != node.inputs.end();
    return !reads || node.op == "dense" || (is_order_blind(node.op) && feeds_only_dense(graph, node.name));
  });
}

Value flatten(Network& network, const Node& node, const Inputs& inputs) {
  Graph& graph = network.graph();
  const Shape& shape = input_shape(network, node);
  const TF_Output x = network.output(inputs[0]);
  const bool is_picture = shape.size() == 3 && shape[0] > 1 && shape[1] * shape[2] > 1;
  const bool stays = !is_picture || feeds_only_dense(network.work(), node.name);
  const TF_Output ordered = stays ? x : graph.apply("Transpose", {x, graph.integers({0, 3, 1, 2})});
  const TF_Output flat = graph.apply("Reshape", {ordered, graph.integers({-1, node.output_shape[0]})});
  Value result = network.add(flat, inputs, [=, &graph](TF_Output gradient) {
    const TF_Output picture = graph.apply("Reshape", {gradient, graph.apply("Shape", {ordered})});
    return Gradients{stays ? picture : graph.apply("Transpose", {picture, graph.integers({0, 2, 3, 1})})};
  });
  if (is_picture && stays) {
    result.channels_last = dlbench::sdk::Picture{shape[0], shape[1], shape[2]};
  }
  return result;
}

// The session adds the loss (losses.hpp), and only where there are targets: here the value is just the
// logits.
Value loss(Network& /*network*/, const Node& /*node*/, const Inputs& inputs) {
  return inputs[0];
}

}  // namespace

const Shape& shape_of(const Network& network, const std::string& name) {
  return dlbench::model::shape_of(network.work(), name);
}

const Shape& input_shape(const Network& network, const Node& node) {
  return shape_of(network, node.inputs.front());
}

const Parameter* find_parameter(const Node& node, const char* name) {
  const auto found = std::ranges::find_if(
      node.parameters, [&](const Parameter& parameter) { return parameter.name == node.name + "." + name; });
  return found == node.parameters.end() ? nullptr : &*found;
}

Value add_bias(Network& network, const Node& node, const Value& value) {
  const Parameter* bias = find_parameter(node, "bias");
  if (bias == nullptr) {
    return value;
  }
  const std::size_t place = network.add_variable(*bias, Layout(bias->shape));
  const TF_Output sum = network.graph().apply("BiasAdd", {network.output(value), network.read(place)});
  return network.add(sum, {value}, [=, &network](TF_Output gradient) {
    network.variables()[place].gradient = network.graph().apply("BiasAddGrad", {gradient});
    return Gradients{gradient};
  });
}

const dlbench::sdk::OpTable<Network, Value>& ops() {
  static const dlbench::sdk::OpTable<Network, Value> table("op", {{"add", add},
                                                                  {"avg_pool", avg_pool},
                                                                  {"batch_norm", batch_norm},
                                                                  {"binary_cross_entropy", loss},
                                                                  {"concat", concat},
                                                                  {"conv2d", conv2d},
                                                                  {"conv_table", conv_table},
                                                                  {"dense", dense},
                                                                  {"dropout", dropout},
                                                                  {"embedding", embedding},
                                                                  {"flatten", flatten},
                                                                  {"global_avg_pool", global_avg_pool},
                                                                  {"lrn", lrn},
                                                                  {"lstm", lstm},
                                                                  {"max_pool", max_pool},
                                                                  {"relu", relu},
                                                                  {"sigmoid", sigmoid},
                                                                  {"softmax", softmax},
                                                                  {"softmax_cross_entropy", loss},
                                                                  {"tanh", tanh}});
  return table;
}

}  // namespace runner
