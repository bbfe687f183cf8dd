// Inner loops of max pooling on one NHWC picture.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace reference {

inline constexpr std::int64_t max_pool_cells = 255;  // the winner is one byte

// The cells of one window that lie inside the picture.
struct Window {
  std::array<std::int64_t, max_pool_cells> offsets;  // in floats, from the start of the picture
  std::array<std::uint8_t, max_pool_cells> ids;      // row-major position in the window
  int count = 0;
};

// Largest value of each window and channel, and which cell it was: the first of the largest.
// y, winners: [window, channel].
void pool_picture(const std::vector<Window>& windows, std::int64_t channels, const float* x, float* y,
                  std::uint8_t* winners);

// Gradient of one picture. `relu`: null, or y where a relu stands before the pooling: gradients count only
// where it is positive. `tiles`: no cell belongs to two windows and none to no window, so dx need not be
// zeroed and summed.
void unpool_picture(const std::vector<Window>& windows, std::int64_t channels, bool tiles, const float* dy,
                    const float* relu, const std::uint8_t* winners, float* dx);

}  // namespace reference
