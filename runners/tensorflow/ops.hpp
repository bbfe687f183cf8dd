// Operators of the neutral graph in TensorFlow.
#pragma once

#include "network.hpp"
#include "runner_sdk/cpp/lower.hpp"

namespace runner {

using Inputs = std::vector<Value>;

[[nodiscard]] const dlbench::sdk::OpTable<Network, Value>& ops();

Value add(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value avg_pool(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value batch_norm(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value concat(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value conv2d(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value conv_table(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value dropout(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value embedding(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value global_avg_pool(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value lrn(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value lstm(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value max_pool(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value relu(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value sigmoid(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value softmax(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value tanh(Network& network, const dlbench::model::Node& node, const Inputs& inputs);

// Operators that do the same to every feature, wherever it stands.
[[nodiscard]] bool is_order_blind(const std::string& op);

// Adds the bias along the last axis; `value` itself where the node has none.
Value add_bias(Network& network, const dlbench::model::Node& node, const Value& value);

// Shape without the batch of a node's value or of the sample, in the graph's order; of what a node reads.
[[nodiscard]] const dlbench::model::Shape& shape_of(const Network& network, const std::string& name);
[[nodiscard]] const dlbench::model::Shape& input_shape(const Network& network,
                                                       const dlbench::model::Node& node);
// The parameter "<node>.<name>", or null.
[[nodiscard]] const dlbench::model::Parameter* find_parameter(const dlbench::model::Node& node,
                                                              const char* name);

}  // namespace runner
