// Inner loops of max pooling over the channels of NHWC pictures.
#pragma once

#include <cstdint>

namespace reference {

// Largest of `count` cells for each channel, and which of them it was: ids[k] of the first largest cell k, in
// the order given.
void max_of_cells(const float* const* cells, const std::uint8_t* ids, int count, std::int64_t channels,
                  float* values, std::uint8_t* winners);

// One window's gradient to one of its cells: where winners[c] is `id`, gradient[c] (0 where `relu` is not
// null and relu[c] <= 0), else 0. Stored, or added to what is there.
void store_to_cell(const std::uint8_t* winners, const float* gradient, const float* relu, std::uint8_t id,
                   std::int64_t channels, float* cell);
void add_to_cell(const std::uint8_t* winners, const float* gradient, const float* relu, std::uint8_t id,
                 std::int64_t channels, float* cell);

}  // namespace reference
