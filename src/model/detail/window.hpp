// Checks and arithmetic shared by the operators that slide a window over an image.
#pragma once

#include <cstdint>
#include <string>

#include "model/graph.hpp"

namespace dlbench::model {

// Throws base::UserError unless the attribute has `count` values, each in `low` … 65,535.
void check_window_attribute(const Node& node, const std::string& attribute, std::size_t count,
                            std::int64_t low);

// Throws base::UserError unless the shape is [channels, height, width].
void check_image(const Shape& shape);

}  // namespace dlbench::model
