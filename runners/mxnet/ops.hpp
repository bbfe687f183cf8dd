// Operators of the neutral graph in MXNet.
#pragma once

#include "network.hpp"
#include "runner_sdk/cpp/lower.hpp"

namespace runner {

using Inputs = std::vector<Symbol>;

[[nodiscard]] const dlbench::sdk::OpTable<Network, Symbol>& ops();

Symbol avg_pool(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Symbol batch_norm(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Symbol binary_cross_entropy(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Symbol embedding(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Symbol global_avg_pool(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Symbol lstm(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Symbol max_pool(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Symbol softmax_cross_entropy(Network& network, const dlbench::model::Node& node, const Inputs& inputs);

// The input and a variable for each parameter of the node.
[[nodiscard]] Inputs with_weights(Network& network, const dlbench::model::Node& node, const Symbol& input);
// Cells of `value` around a picture; pads are [top, left, bottom, right], MXNet's own padding is one number
// per axis.
[[nodiscard]] Symbol pad(const dlbench::model::Node& node, const Symbol& input, const Extents& pads,
                         const char* value);
// Shape without the batch of what a node reads.
[[nodiscard]] const dlbench::model::Shape& input_shape(const Network& network,
                                                       const dlbench::model::Node& node);

}  // namespace runner
