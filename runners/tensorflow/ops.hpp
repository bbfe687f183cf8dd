// Operators of the neutral graph in TensorFlow.
#pragma once

#include "network.hpp"
#include "runner_sdk/cpp/lower.hpp"

namespace runner {

using Inputs = std::vector<Value>;

[[nodiscard]] const dlbench::sdk::OpTable<Network, Value>& ops();

Value conv2d(Network& network, const dlbench::model::Node& node, const Inputs& inputs);
Value max_pool(Network& network, const dlbench::model::Node& node, const Inputs& inputs);

// Adds the bias along the last axis; `value` itself where the node has none.
Value add_bias(Network& network, const dlbench::model::Node& node, const Value& value);

// Shape without the batch of what a node reads, in the graph's order.
[[nodiscard]] const dlbench::model::Shape& input_shape(const Network& network,
                                                       const dlbench::model::Node& node);
// The parameter "<node>.<name>", or null.
[[nodiscard]] const dlbench::model::Parameter* find_parameter(const dlbench::model::Node& node,
                                                              const char* name);

}  // namespace runner
