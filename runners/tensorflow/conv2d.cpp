// Convolutions, NHWC, kernels as height, width, in, out.
#include "convolution.hpp"
#include "runner_sdk/cpp/unsupported.hpp"
#include "window.hpp"

namespace runner {

namespace {

using dlbench::model::integer;
using dlbench::model::integers;
using dlbench::model::Node;
using dlbench::model::Shape;
using dlbench::sdk::Layout;

constexpr ConvolutionNames depthwise{"DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput",
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
  const std::size_t place = add_kernel(network, node, input);
  const Kernel kernel{network.read(place), network.variables()[place].shape,
                      [=, &network](TF_Output gradient) { network.variables()[place].gradient = gradient; }};
  const Value result = convolve(network, is_depthwise(node, input) ? depthwise : plain_convolution, inputs[0],
                                kernel, [=](Op& op) { set_attributes(op, node, input); });
  return add_bias(network, node, result);
}

}  // namespace runner
