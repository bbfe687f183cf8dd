#include "ops.hpp"

namespace runner {

namespace {

using dlbench::model::integer;
using dlbench::model::integers;
using dlbench::model::Node;
using dlbench::model::real;

std::string no_bias(const Node& node) {
  return node.parameters.size() == 1 ? "True" : "False";
}

Symbol conv2d(Network& network, const Node& node, const Inputs& inputs) {
  Extents pads = integers(node, "pads");
  Symbol input = inputs[0];
  if (pads[0] != pads[2] || pads[1] != pads[3]) {
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

Symbol dense(Network& network, const Node& node, const Inputs& inputs) {
  return apply("FullyConnected", node.name, with_weights(network, node, inputs[0]),
               {{"num_hidden", std::to_string(integer(node, "out_features"))},
                {"no_bias", no_bias(node)},
                {"flatten", "False"}});
}

// A full convolution whose missing connections are zeros: MXNet has no connection tables.
Symbol conv_table(Network& network, const Node& node, const Inputs& inputs) {
  const auto& weight = node.parameters.front().shape;
  const std::int64_t channels = input_shape(network, node)[0];
  const Extents& table = integers(node, "table");
  std::vector<float> places;  // [2, connections]: outputs, then the inputs that they read
  for (std::size_t i = 0; i < table.size(); ++i) {
    places.push_back(static_cast<float>(static_cast<std::int64_t>(i) / weight[1]));
  }
  places.insert(places.end(), table.begin(), table.end());
  const auto connections = static_cast<std::int64_t>(table.size());
  const Symbol where = network.add_constant(node.name + "_places", {2, connections}, places);
  const Inputs parameters = with_weights(network, node, inputs[0]);
  const Symbol kernels = apply("Reshape", node.name + "_kernels", {parameters[1]},
                               {{"shape", tuple({-1, weight[2], weight[3]})}});
  const Symbol full = apply("scatter_nd", node.name + "_full", {kernels, where},
                            {{"shape", tuple({weight[0], channels, weight[2], weight[3]})}});
  return apply("Convolution", node.name, {inputs[0], full, parameters[2]},
               {{"kernel", tuple({weight[2], weight[3]})},
                {"stride", tuple(integers(node, "stride"))},
                {"num_filter", std::to_string(weight[0])}});
}

// MXNet divides alpha by the size.
Symbol lrn(Network& /*network*/, const Node& node, const Inputs& inputs) {
  const std::int64_t size = integer(node, "size");
  return apply("LRN", node.name, {inputs[0]},
               {{"nsize", std::to_string(size)},
                {"alpha", number(real(node, "alpha") * static_cast<double>(size))},
                {"beta", number(real(node, "beta"))},
                {"knorm", number(real(node, "k"))}});
}

Symbol concat(Network& /*network*/, const Node& node, const Inputs& inputs) {
  return apply("Concat", node.name, inputs, {{"num_args", std::to_string(inputs.size())}, {"dim", "1"}});
}

Symbol add(Network& /*network*/, const Node& node, const Inputs& inputs) {
  return apply("add_n", node.name, inputs, {{"num_args", std::to_string(inputs.size())}});
}

constexpr char flatten[] = "Flatten";
constexpr char relu[] = "relu";
constexpr char sigmoid[] = "sigmoid";
constexpr char softmax[] = "softmax";
constexpr char tanh[] = "tanh";

// An operator of one input and no attributes.
template <const char* type>
Symbol plain(Network& /*network*/, const Node& node, const Inputs& inputs) {
  return apply(type, node.name, {inputs[0]});
}

// Its masks are drawn in training only; evaluation passes the input on.
Symbol dropout(Network& /*network*/, const Node& node, const Inputs& inputs) {
  return apply("Dropout", node.name, {inputs[0]}, {{"p", number(real(node, "rate"))}});
}

}  // namespace

Inputs with_weights(Network& network, const Node& node, const Symbol& input) {
  Inputs inputs{input};
  for (const auto& parameter : node.parameters) {
    inputs.push_back(network.add_weights(parameter));
  }
  return inputs;
}

const dlbench::model::Shape& input_shape(const Network& network, const Node& node) {
  return dlbench::model::shape_of(network.work, node.inputs.front());
}

const dlbench::sdk::OpTable<Network, Symbol>& ops() {
  static const dlbench::sdk::OpTable<Network, Symbol> table("op",
                                                            {{"add", add},
                                                             {"avg_pool", avg_pool},
                                                             {"batch_norm", batch_norm},
                                                             {"binary_cross_entropy", binary_cross_entropy},
                                                             {"concat", concat},
                                                             {"conv2d", conv2d},
                                                             {"conv_table", conv_table},
                                                             {"dense", dense},
                                                             {"dropout", dropout},
                                                             {"embedding", embedding},
                                                             {"flatten", plain<flatten>},
                                                             {"global_avg_pool", global_avg_pool},
                                                             {"lrn", lrn},
                                                             {"lstm", lstm},
                                                             {"max_pool", max_pool},
                                                             {"relu", plain<relu>},
                                                             {"sigmoid", plain<sigmoid>},
                                                             {"softmax", plain<softmax>},
                                                             {"softmax_cross_entropy", softmax_cross_entropy},
                                                             {"tanh", plain<tanh>}});
  return table;
}

}  // namespace runner
