// Operators of sequences: [rows, positions] of tokens, [rows, positions, features].
#include "ops.hpp"

namespace runner {

namespace {

using dlbench::model::flag;
using dlbench::model::integer;
using dlbench::model::Node;

// The fused operator reads one vector: both matrices row by row, then the two biases that it adds. The second
// one is a constant 0.
Symbol flat_parameters(Network& network, const Node& node) {
  Inputs parts;
  for (const auto& parameter : node.parameters) {
    parts.push_back(
        apply("Reshape", parameter.name + "_flat", {network.add_weights(parameter)}, {{"shape", "(-1)"}}));
  }
  const std::int64_t biases = node.parameters.back().shape[0];
  const std::vector<float> zeros(static_cast<std::size_t>(biases), 0.0F);
  parts.push_back(network.add_constant(node.name + "_second_bias", {biases}, zeros));
  return apply("_rnn_param_concat", node.name + "_parameters", parts,
               {{"dim", "0"}, {"num_args", std::to_string(parts.size())}});
}

Symbol positions_first(const std::string& name, const Symbol& value) {
  return apply("SwapAxis", name, {value}, {{"dim1", "0"}, {"dim2", "1"}});
}

// Not SequenceLast, whose gradient without lengths reads places that nobody has written.
Symbol last_position(const Node& node, const Symbol& states) {
  const Symbol last =
      apply("slice_axis", node.name + "_last", {states}, {{"axis", "0"}, {"begin", "-1"}, {"end", "None"}});
  return apply("squeeze", node.name, {last}, {{"axis", "0"}});
}

}  // namespace

Symbol embedding(Network& network, const Node& node, const Inputs& inputs) {
  return apply("Embedding", node.name, with_weights(network, node, inputs[0]),
               {{"input_dim", std::to_string(integer(node, "vocabulary"))},
                {"output_dim", std::to_string(integer(node, "features"))}});
}

// Blocks of rows i, f, g, o. What gluon.rnn.LSTM traces; the 0 in the state's shape is the batch, which MXNet
// infers.
Symbol lstm(Network& network, const Node& node, const Inputs& inputs) {
  const std::int64_t hidden = integer(node, "hidden");
  const auto zero_state = [&](const char* name) {
    return apply("_zeros", node.name + name, {}, {{"shape", tuple({1, 0, hidden})}});
  };
  const Symbol states =
      apply("RNN", node.name + "_states",
            {positions_first(node.name + "_x", inputs[0]), flat_parameters(network, node), zero_state("_h"),
             zero_state("_c")},
            {{"mode", "lstm"}, {"state_size", std::to_string(hidden)}, {"num_layers", "1"}});
  return flag(node, "last_only") ? last_position(node, states) : positions_first(node.name, states);
}

}  // namespace runner
