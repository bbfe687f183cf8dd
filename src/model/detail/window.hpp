// Checks and arithmetic shared by the operators that slide a window over an image.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/op_spec.hpp"

namespace dlbench::model {

// Throws base::UserError unless the attribute has `count` values, each in `low` … 65,535.
void check_window_attribute(const Node& node, const std::string& attribute, std::size_t count,
                            std::int64_t low);

// Throws base::UserError unless the shape is [channels, height, width].
void check_image(const Shape& shape);

// The attributes kernel, stride, pads and ceil_mode of a pooling operator.
[[nodiscard]] std::vector<AttributeSpec> pooling_attributes();
// Output shape of a pooling operator with these attributes on an image. Each window holds at least one cell
// of the input. Throws base::UserError when that is impossible.
[[nodiscard]] Shape pooled_shape(const Node& node, const Shape& input);

}  // namespace dlbench::model
