// Convolutions, NHWC, kernels as height, width, in, out.
#include "ops.hpp"
#include "runner_sdk/cpp/unsupported.hpp"
#include "window.hpp"

namespace runner {

namespace {

using dlbench::model::integer;
using dlbench::model::integers;
using dlbench::model::Node;
using dlbench::model::Shape;
using dlbench::sdk::Layout;

// Names of an operator and of its two gradients.
struct Names {
  const char* forward;
  const char* of_input;
  const char* of_kernel;
};

constexpr Names plain{"Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"};
constexpr Names depthwise{"DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput",
                          "DepthwiseConv2dNativeBackpropFilter"};

// The depthwise kernels know neither unequal strides nor dilation.
bool is_depthwise(const Node& node, const Shape& input) {
  const Extents& stride = integers(node, "stride");
  return input[0] > 1 && integer(node, "groups") == input[0] && stride[0] == stride[1] &&
         integers(node, "dilation") == Extents{1, 1};
}

void set_attributes(Op& op, const Node& node, const Shape& input) {
  const Extents& dilation = integers(node, "dilation");
  op.integers("dilations", {1, dilation[0], dilation[1], 1});
  set_window(op, node, dlbench::model::Windows(node, input));
}

std::size_t add_kernel(Network& network, const Node& node, const Shape& input) {
  const auto& weight = node.parameters.front();
  if (!is_depthwise(node, input)) {
    return network.add_variable(weight, Layout(weight.shape).permute({2, 3, 1, 0}));
  }
  // [height, width, out, 1] is the same memory as TensorFlow's [height, width, in, out per in].
  const Extents shape{weight.shape[2], weight.shape[3], input[0], weight.shape[0] / input[0]};
  return network.add_variable(weight, Layout(weight.shape).permute({2, 3, 0, 1}), shape);
}

}  // namespace

Value conv2d(Network& network, const Node& node, const Inputs& inputs) {
  const Shape& input = input_shape(network, node);
  if (integer(node, "groups") > 1 && integers(node, "dilation") != Extents{1, 1}) {
    // On the CPU only one of both has a gradient.
    throw dlbench::sdk::Unsupported("conv2d with groups and dilation");
  }
  const Names& names = is_depthwise(node, input) ? depthwise : plain;
  const std::size_t place = add_kernel(network, node, input);
  const TF_Output x = network.output(inputs[0]);
  const TF_Output kernel = network.read(place);
  Op forward(network.graph(), names.forward);
  forward.input(x).input(kernel);
  set_attributes(forward, node, input);
  const Value result = network.add(forward.result(), inputs, [=, &network](TF_Output gradient) {
    Graph& graph = network.graph();
    Variable& variable = network.variables()[place];
    Op of_kernel(graph, names.of_kernel);
    of_kernel.input(x).input(graph.integers(variable.shape)).input(gradient);
    set_attributes(of_kernel, node, input);
    variable.gradient = of_kernel.result();
    Op of_input(graph, names.of_input);
    of_input.input(graph.apply("Shape", {x})).input(kernel).input(gradient);
    set_attributes(of_input, node, input);
    return std::vector<TF_Output>{of_input.result()};
  });
  return add_bias(network, node, result);
}

}  // namespace runner
