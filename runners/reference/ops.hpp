// The op table; each entry lies in a file of its own.
#pragma once

#include "network.hpp"

namespace reference {

using OpTable = dlbench::sdk::OpTable<Program, Place*>;
[[nodiscard]] const OpTable& ops();

Place* lower_conv2d(Program& program, const dlbench::model::Node& node, const std::vector<Place*>& inputs);
Place* lower_dense(Program& program, const dlbench::model::Node& node, const std::vector<Place*>& inputs);
Place* lower_flatten(Program& program, const dlbench::model::Node& node, const std::vector<Place*>& inputs);
Place* lower_max_pool(Program& program, const dlbench::model::Node& node, const std::vector<Place*>& inputs);
Place* lower_relu(Program& program, const dlbench::model::Node& node, const std::vector<Place*>& inputs);
Place* lower_loss(Program& program, const dlbench::model::Node& node, const std::vector<Place*>& inputs);

}  // namespace reference
