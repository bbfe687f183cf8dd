// Gradient of a relu from its output.
#pragma once

#include "network.hpp"

namespace reference {

// Zeroes the gradient of `place` where its values are 0, unless the reader did so already. For places with
// has_relu.
[[nodiscard]] Task make_mask(const Place* place, std::int64_t count, const std::string& node);

}  // namespace reference
