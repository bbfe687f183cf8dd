#include "ops.hpp"
#include "window.hpp"

namespace runner {

using dlbench::model::integers;
using dlbench::model::Node;

namespace {

void set_attributes(Op& op, const Node& node, const dlbench::model::Shape& input) {
  const Extents& kernel = integers(node, "kernel");
  op.integers("ksize", {1, kernel[0], kernel[1], 1});
  set_window(op, node, input, kernel);
}

}  // namespace

Value max_pool(Network& network, const Node& node, const Inputs& inputs) {
  const auto& input = input_shape(network, node);
  const TF_Output x = network.output(inputs[0]);
  Op forward(network.graph(), "MaxPool");
  forward.input(x);
  set_attributes(forward, node, input);
  const TF_Output y = forward.result();
  return network.add(y, inputs, [=, &network](TF_Output gradient) {
    Op backward(network.graph(), "MaxPoolGrad");
    backward.input(x).input(y).input(gradient);
    set_attributes(backward, node, input);
    return std::vector<TF_Output>{backward.result()};
  });
}

}  // namespace runner
