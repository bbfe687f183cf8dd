// The op table; each entry lies in a file of its own.
#pragma once

#include "network.hpp"

namespace reference {

using OpTable = dlbench::sdk::OpTable<Program, Place*>;
using dlbench::model::Node;

// Operators of graphs.
[[nodiscard]] const OpTable& ops();
// The same and `fan_out`, which only this runner's own graphs hold.
[[nodiscard]] const OpTable& own_ops();

Place* lower_add(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_avg_pool(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_batch_norm(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_binary_cross_entropy(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_concat(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_conv2d(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_conv_table(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_dense(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_dropout(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_embedding(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_fan_out(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_flatten(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_global_avg_pool(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_loss(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_lrn(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_lstm(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_max_pool(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_relu(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_sigmoid(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_softmax(Program& program, const Node& node, const std::vector<Place*>& inputs);
Place* lower_tanh(Program& program, const Node& node, const std::vector<Place*>& inputs);

}  // namespace reference
