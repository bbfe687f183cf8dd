// Attributes that the networks of the zoo have in common.
#pragma once

#include <cstdint>

#include "model/builder.hpp"

namespace dlbench::zoo {

// A square convolution with the same pad on all four sides.
[[nodiscard]] inline model::Attributes conv(std::int64_t channels, std::int64_t size, std::int64_t pad = 0) {
  return {{"out_channels", model::count(channels)},
          {"kernel", model::extents({size, size})},
          {"pads", model::extents({pad, pad, pad, pad})}};
}

// A square window; extents are rounded down.
[[nodiscard]] inline model::Attributes window(std::int64_t size, std::int64_t stride, std::int64_t pad = 0) {
  return {{"kernel", model::extents({size, size})},
          {"stride", model::extents({stride, stride})},
          {"pads", model::extents({pad, pad, pad, pad})}};
}
[[nodiscard]] inline model::Attributes window_rounded_up(std::int64_t size, std::int64_t stride) {
  model::Attributes attributes = window(size, stride);
  attributes["ceil_mode"] = true;
  return attributes;
}

[[nodiscard]] inline model::Attributes dense(std::int64_t features) {
  return {{"out_features", model::count(features)}};
}

}  // namespace dlbench::zoo
