// Functions of one value or of one row. The gradients are the operations that TensorFlow's registry adds.
#include <set>

#include "ops.hpp"

namespace runner {

namespace {

using dlbench::model::Node;
using Gradients = std::vector<TF_Output>;

// A flattened picture keeps the order in which it lies.
Value in_order_of(const Value& input, Value result) {
  result.channels_last = input.channels_last;
  return result;
}

// `takes_gradient_first`: the order of the gradient operation's inputs.
Value activation(Network& network, const Inputs& inputs, const char* forward, const char* backward,
                 bool takes_gradient_first) {
  const TF_Output y = network.graph().apply(forward, {network.output(inputs[0])});
  return in_order_of(inputs[0], network.add(y, inputs, [=, &network](TF_Output gradient) {
    const Gradients arguments = takes_gradient_first ? Gradients{gradient, y} : Gradients{y, gradient};
    return Gradients{network.graph().apply(backward, arguments)};
  }));
}

}  // namespace

bool is_order_blind(const std::string& op) {
  static const std::set<std::string> ops = {"dropout", "relu", "sigmoid", "softmax", "tanh"};
  return ops.contains(op);
}

Value relu(Network& network, const Node& /*node*/, const Inputs& inputs) {
  return activation(network, inputs, "Relu", "ReluGrad", true);
}

Value sigmoid(Network& network, const Node& /*node*/, const Inputs& inputs) {
  return activation(network, inputs, "Sigmoid", "SigmoidGrad", false);
}

Value tanh(Network& network, const Node& /*node*/, const Inputs& inputs) {
  return activation(network, inputs, "Tanh", "TanhGrad", false);
}

Value softmax(Network& network, const Node& /*node*/, const Inputs& inputs) {
  const TF_Output y = network.graph().apply("Softmax", {network.output(inputs[0])});
  return in_order_of(inputs[0], network.add(y, inputs, [=, &network](TF_Output gradient) {
    Graph& graph = network.graph();
    const TF_Output product = graph.apply("Mul", {gradient, y});
    const TF_Output sum =
        Op(graph, "Sum").input(product).input(graph.integers({-1})).flag("keep_dims", true).result();
    return Gradients{graph.apply("Mul", {graph.apply("Sub", {gradient, sum}), y})};
  }));
}

}  // namespace runner
