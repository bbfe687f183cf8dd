#include "ops.hpp"

#include <algorithm>

namespace runner {

namespace {

using dlbench::model::flag;
using dlbench::model::integer;
using dlbench::model::integers;
using dlbench::model::Node;
using dlbench::model::Shape;
using Inputs = std::vector<Symbol>;

// Stands for minus infinity, which MXNet's attributes cannot say: no float is less.
constexpr const char* lowest = "-3.40282347e+38";

// Pads are [top, left, bottom, right]; MXNet's own padding is one number per axis.
bool is_symmetric(const Extents& pads) {
  return pads[0] == pads[2] && pads[1] == pads[3];
}

Symbol pad(const Node& node, const Symbol& input, const Extents& pads, const char* value) {
  return apply("Pad", node.name + "_pad", {input},
               {{"mode", "constant"},
                {"constant_value", value},
                {"pad_width", tuple({0, 0, 0, 0, pads[0], pads[2], pads[1], pads[3]})}});
}

Inputs with_weights(Network& network, const Node& node, const Symbol& input) {
  Inputs inputs{input};
  for (const auto& parameter : node.parameters) {
    inputs.push_back(network.add_weights(parameter));
  }
  return inputs;
}

std::string no_bias(const Node& node) {
  return node.parameters.size() == 1 ? "True" : "False";
}

Symbol conv2d(Network& network, const Node& node, const Inputs& inputs) {
  Extents pads = integers(node, "pads");
  Symbol input = inputs[0];
  if (!is_symmetric(pads)) {
    input = pad(node, input, pads, "0");
    pads = {0, 0, 0, 0};
  }
  return apply("Convolution", node.name, with_weights(network, node, input),
               {{"kernel", tuple(integers(node, "kernel"))},
                {"stride", tuple(integers(node, "stride"))},
                {"dilate", tuple(integers(node, "dilation"))},
                {"pad", tuple({pads[0], pads[1]})},
                {"num_filter", std::to_string(integer(node, "out_channels"))},
                {"num_group", std::to_string(integer(node, "groups"))},
                {"no_bias", no_bias(node)}});
}

const Shape& input_shape(const Network& network, const Node& node) {
  const std::string& name = node.inputs.front();
  return name == "input" ? network.work.input_shape : dlbench::model::node(network.work, name).output_shape;
}

// [top, left, bottom, right] with which windows rounded down are exactly the graph's.
Extents covering_pads(const Network& network, const Node& node) {
  const Shape& input = input_shape(network, node);
  Extents pads = integers(node, "pads");
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t covered =
        (node.output_shape[axis + 1] - 1) * integers(node, "stride")[axis] + integers(node, "kernel")[axis];
    pads[axis + 2] = std::max<std::int64_t>(0, covered - input[axis + 1] - pads[axis]);
  }
  return pads;
}

// MXNet's convention "full" rounds up as the graph does, but knows no rule for a last window in the pad.
bool is_full(const Network& network, const Node& node) {
  const Shape& input = input_shape(network, node);
  const Extents& pads = integers(node, "pads");
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t stride = integers(node, "stride")[axis];
    const std::int64_t span = input[axis + 1] + 2 * pads[axis] - integers(node, "kernel")[axis];
    if ((span + stride - 1) / stride + 1 != node.output_shape[axis + 1]) {
      return false;
    }
  }
  return true;
}

Symbol max_pool(Network& network, const Node& node, const Inputs& inputs) {
  Extents pads = integers(node, "pads");
  Symbol input = inputs[0];
  const bool full = flag(node, "ceil_mode") && is_symmetric(pads) && is_full(network, node);
  if (!full && (flag(node, "ceil_mode") || !is_symmetric(pads))) {
    input = pad(node, input, covering_pads(network, node), lowest);
    pads = {0, 0, 0, 0};
  }
  return apply("Pooling", node.name, {input},
               {{"pool_type", "max"},
                {"kernel", tuple(integers(node, "kernel"))},
                {"stride", tuple(integers(node, "stride"))},
                {"pad", tuple({pads[0], pads[1]})},
                {"pooling_convention", full ? "full" : "valid"}});
}

Symbol dense(Network& network, const Node& node, const Inputs& inputs) {
  return apply("FullyConnected", node.name, with_weights(network, node, inputs[0]),
               {{"num_hidden", std::to_string(integer(node, "out_features"))}, {"no_bias", no_bias(node)}});
}

Symbol relu(Network& /*network*/, const Node& node, const Inputs& inputs) {
  return apply("Activation", node.name, {inputs[0]}, {{"act_type", "relu"}});
}

Symbol flatten(Network& /*network*/, const Node& node, const Inputs& inputs) {
  return apply("Flatten", node.name, {inputs[0]});
}

// SoftmaxOutput has the gradient but no loss: that is computed beside it from the shares, without a gradient
// of its own. The loss is the last output.
Symbol softmax_cross_entropy(Network& /*network*/, const Node& node, const Inputs& inputs) {
  const Symbol target = variable("target");
  const Symbol as_float = apply("Cast", node.name + "_target", {target}, {{"dtype", "float32"}});
  const Symbol shares =
      apply("SoftmaxOutput", node.name + "_softmax", {inputs[0], as_float}, {{"normalization", "batch"}});
  const Symbol fixed = apply("BlockGrad", node.name + "_fixed", {shares});
  const Symbol picked = apply("pick", node.name + "_pick", {fixed, target}, {{"axis", "-1"}});
  const Symbol mean = apply("mean", node.name + "_mean", {apply("log", node.name + "_log", {picked})});
  const Symbol loss = apply("BlockGrad", node.name, {apply("negative", node.name + "_negative", {mean})});
  return group({shares, loss});
}

}  // namespace

const dlbench::sdk::OpTable<Network, Symbol>& ops() {
  static const dlbench::sdk::OpTable<Network, Symbol> table(
      "op", {{"conv2d", conv2d},
             {"max_pool", max_pool},
             {"dense", dense},
             {"relu", relu},
             {"flatten", flatten},
             {"softmax_cross_entropy", softmax_cross_entropy}});
  return table;
}

}  // namespace runner
