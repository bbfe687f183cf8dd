// Unrolls windows of NHWC pictures into the rows of a matrix and adds such rows back: a convolution as matrix
// products.
#pragma once

#include <cstdint>

namespace reference {

struct Unrolling {
  std::int64_t channels;
  std::int64_t in_height, in_width;
  std::int64_t out_height, out_width;
  std::int64_t kernel_height, kernel_width;
  std::int64_t stride_height, stride_width;
  std::int64_t dilation_height, dilation_width;
  std::int64_t pad_top, pad_left;

  // Length of a matrix row: [kernel row, kernel column, channel].
  [[nodiscard]] std::int64_t row_width() const { return kernel_height * kernel_width * channels; }
  [[nodiscard]] std::int64_t in_count() const { return in_height * in_width * channels; }
};

// Output rows [first, last), counted through all pictures: one matrix row for each output cell.
void unroll(const Unrolling& shape, const float* pictures, std::int64_t first, std::int64_t last,
            float* matrix);
// The transpose of unroll: adds each matrix row to the cells that it came from.
void add_back(const Unrolling& shape, const float* matrix, std::int64_t first, std::int64_t last,
              float* pictures);

}  // namespace reference
