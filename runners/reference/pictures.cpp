#include "pictures.hpp"

#include <algorithm>
#include <cstring>

namespace reference {
namespace {

// Kernel columns [begin, end) that fall inside the picture when the window starts at column `left`.
struct Columns {
  std::int64_t begin;
  std::int64_t end;
};

Columns columns_inside(const Unrolling& s, std::int64_t left) {
  const std::int64_t step = s.dilation_width;
  const std::int64_t begin = left >= 0 ? 0 : (-left + step - 1) / step;
  const std::int64_t end = left >= s.in_width ? 0 : (s.in_width - left + step - 1) / step;
  const std::int64_t clipped = std::clamp<std::int64_t>(end, 0, s.kernel_width);
  return {std::min(begin, clipped), clipped};
}

// Calls piece(column in the kernel row, float offset in the picture row, floats) for every contiguous run of
// cells.
template <class Piece>
void for_each_run(const Unrolling& s, std::int64_t left, Columns inside, Piece piece) {
  if (s.dilation_width == 1) {
    piece(inside.begin, (left + inside.begin) * s.channels, (inside.end - inside.begin) * s.channels);
    return;
  }
  for (std::int64_t n = inside.begin; n < inside.end; ++n) {
    piece(n, (left + n * s.dilation_width) * s.channels, s.channels);
  }
}

// Calls visit(kernel row's place in the matrix, picture row or -1, left edge) for each output cell and kernel
// row.
template <class Visit>
void for_each_kernel_row(const Unrolling& s, std::int64_t first, std::int64_t last, Visit visit) {
  const std::int64_t kernel_row = s.kernel_width * s.channels;
  std::int64_t place = 0;
  for (std::int64_t row = first; row < last; ++row) {
    const std::int64_t picture = row / s.out_height;
    const std::int64_t top = row % s.out_height * s.stride_height - s.pad_top;
    for (std::int64_t column = 0; column < s.out_width; ++column) {
      const std::int64_t left = column * s.stride_width - s.pad_left;
      for (std::int64_t m = 0; m < s.kernel_height; ++m, place += kernel_row) {
        const std::int64_t y = top + m * s.dilation_height;
        const bool is_inside = y >= 0 && y < s.in_height;
        visit(place, is_inside ? (picture * s.in_height + y) * s.in_width * s.channels : -1, left);
      }
    }
  }
}

}  // namespace

void unroll(const Unrolling& s, const float* pictures, std::int64_t first, std::int64_t last, float* matrix) {
  const auto row_floats = static_cast<std::size_t>(s.kernel_width * s.channels);
  for_each_kernel_row(s, first, last, [&](std::int64_t place, std::int64_t picture_row, std::int64_t left) {
    float* out = matrix + place;
    const Columns inside = picture_row < 0 ? Columns{0, 0} : columns_inside(s, left);
    if (inside.end - inside.begin != s.kernel_width) {
      std::memset(out, 0, row_floats * sizeof(float));
    }
    if (inside.begin < inside.end) {
      for_each_run(s, left, inside, [&](std::int64_t n, std::int64_t offset, std::int64_t floats) {
        std::memcpy(out + n * s.channels, pictures + picture_row + offset,
                    static_cast<std::size_t>(floats) * sizeof(float));
      });
    }
  });
}

void add_back(const Unrolling& s, const float* matrix, std::int64_t first, std::int64_t last,
              float* pictures) {
  for_each_kernel_row(s, first, last, [&](std::int64_t place, std::int64_t picture_row, std::int64_t left) {
    const Columns inside = picture_row < 0 ? Columns{0, 0} : columns_inside(s, left);
    if (inside.begin == inside.end) {
      return;
    }
    for_each_run(s, left, inside, [&](std::int64_t n, std::int64_t offset, std::int64_t floats) {
      const float* __restrict from = matrix + place + n * s.channels;
      float* __restrict to = pictures + picture_row + offset;
      for (std::int64_t i = 0; i < floats; ++i) {
        to[i] += from[i];
      }
    });
  });
}

}  // namespace reference
