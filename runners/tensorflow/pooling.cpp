// Pools and lrn: operators that look around each place of a picture.
#include <functional>

#include "ops.hpp"
#include "window.hpp"

namespace runner {

using dlbench::model::integers;
using dlbench::model::Node;
using dlbench::model::Shape;
using dlbench::model::Windows;

namespace {

using Gradients = std::vector<TF_Output>;
using WindowSetter = std::function<void(Op& op)>;

void set_attributes(Op& op, const Node& node, const dlbench::model::Shape& input) {
  const Extents& kernel = integers(node, "kernel");
  op.integers("ksize", {1, kernel[0], kernel[1], 1});
  set_window(op, node, Windows(node, input));
}

// An average over windows of `x`, of height and width as in `input`.
Value average(Network& network, const Value& x, const WindowSetter& set) {
  Op forward(network.graph(), "AvgPool");
  forward.input(network.output(x));
  set(forward);
  const TF_Output value = network.output(x);
  return network.add(forward.result(), {x}, [=, &network](TF_Output gradient) {
    Op backward(network.graph(), "AvgPoolGrad");
    backward.input(network.graph().apply("Shape", {value})).input(gradient);
    set(backward);
    return Gradients{backward.result()};
  });
}

// Zeros around a picture.
Value padded(Network& network, const Value& x, const Shape& input, const Extents& pads) {
  Graph& graph = network.graph();
  const TF_Output widths = graph.apply("Reshape", {graph.integers(nhwc_pads(pads)), graph.integers({4, 2})});
  return network.add(graph.apply("Pad", {network.output(x), widths}), {x}, [=, &graph](TF_Output gradient) {
    return Gradients{graph.apply("Slice", {gradient, graph.integers({0, pads[0], pads[1], 0}),
                                           graph.integers({-1, input[1], input[2], -1})})};
  });
}

// Times a constant per window.
Value scaled(Network& network, const Node& node, const Value& x, const std::vector<float>& factors) {
  const TF_Output constant =
      network.graph().constant({1, node.output_shape[1], node.output_shape[2], 1}, factors);
  const auto times = [=, &network](TF_Output value) {
    return network.graph().apply("Mul", {value, constant});
  };
  return network.add(times(network.output(x)), {x},
                     [=](TF_Output gradient) { return Gradients{times(gradient)}; });
}

}  // namespace

// TensorFlow divides by the cells inside the input. Where the graph does not, or the pads are not its own:
// averages over whole windows of a padded picture, times a constant for each window.
Value avg_pool(Network& network, const Node& node, const Inputs& inputs) {
  const Shape& input = input_shape(network, node);
  const Extents& kernel = integers(node, "kernel");
  const Windows windows(node, input);
  const bool with_pads = dlbench::model::flag(node, "count_include_pad");
  const bool is_own_divisor = windows.counts(with_pads) == windows.counts(false);
  if (!windows.is_padded() || (is_own_divisor && windows.are_same())) {
    return average(network, inputs[0], [=](Op& op) { set_attributes(op, node, input); });
  }
  const Value means = average(network, padded(network, inputs[0], input, windows.pads()), [=](Op& op) {
    const Extents& stride = integers(node, "stride");
    op.integers("ksize", {1, kernel[0], kernel[1], 1}).integers("strides", {1, stride[0], stride[1], 1});
    op.text("padding", "VALID");
  });
  return scaled(network, node, means, windows.factors(with_pads));
}

Value global_avg_pool(Network& network, const Node& node, const Inputs& inputs) {
  Graph& graph = network.graph();
  const Shape& input = input_shape(network, node);
  const TF_Output x = network.output(inputs[0]);
  const TF_Output mean =
      Op(graph, "Mean").input(x).input(graph.integers({1, 2})).flag("keep_dims", true).result();
  const float share = 1.0F / static_cast<float>(input[1] * input[2]);
  return network.add(mean, inputs, [=, &graph](TF_Output gradient) {
    const TF_Output part = graph.apply("Mul", {gradient, graph.constant(share)});
    return Gradients{graph.apply("BroadcastTo", {part, graph.apply("Shape", {x})})};
  });
}

Value lrn(Network& network, const Node& node, const Inputs& inputs) {
  const auto set = [=](Op& op) {
    op.integer("depth_radius", dlbench::model::integer(node, "size") / 2)
        .number("bias", dlbench::model::real(node, "k"))
        .number("alpha", dlbench::model::real(node, "alpha"))
        .number("beta", dlbench::model::real(node, "beta"));
  };
  const TF_Output x = network.output(inputs[0]);
  Op forward(network.graph(), "LRN");
  forward.input(x);
  set(forward);
  const TF_Output y = forward.result();
  return network.add(y, inputs, [=, &network](TF_Output gradient) {
    Op backward(network.graph(), "LRNGrad");
    backward.input(gradient).input(x).input(y);
    set(backward);
    return Gradients{backward.result()};
  });
}

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
