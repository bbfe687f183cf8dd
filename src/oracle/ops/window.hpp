// The windows of a pooling operator, cut at the edges of their planes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "oracle/operators.hpp"

namespace dlbench::oracle::ops {

// The part of one window that lies inside its plane; ends are exclusive.
struct Window {
  std::size_t output;  // index of the output cell
  std::size_t plane;   // index of the plane's first input cell
  std::int64_t width;  // of the plane
  std::int64_t top, bottom, left, right;
  std::int64_t padded_cells;  // cells of the window inside the padded plane

  [[nodiscard]] std::int64_t cells() const { return (bottom - top) * (right - left); }

  template <typename Visit>
  void for_each_cell(Visit visit) const {
    for (std::int64_t y = top; y < bottom; ++y) {
      for (std::int64_t x = left; x < right; ++x) {
        visit(plane + index_of(y * width + x));
      }
    }
  }
};

// One axis of a window: [begin, end) inside the plane, `padded` cells inside plane and pads.
struct Span {
  std::int64_t begin, end, padded;
};

// Of every window along `axis` (0: rows, 1: columns).
template <typename T>
std::vector<Span> spans_of(const NodeView<T>& view, std::size_t axis) {
  const std::int64_t extent = view.inputs[0]->shape[axis + 2];
  const std::int64_t stride = model::integers(view.node, "stride")[axis];
  const std::int64_t kernel = model::integers(view.node, "kernel")[axis];
  const std::vector<std::int64_t>& pads = model::integers(view.node, "pads");
  const std::int64_t count = view.node.output_shape[axis + 1];
  std::vector<Span> spans;
  spans.reserve(index_of(count));
  for (std::int64_t index = 0; index < count; ++index) {
    const std::int64_t begin = index * stride - pads[axis];
    const std::int64_t end = begin + kernel;
    spans.push_back({std::max<std::int64_t>(begin, 0), std::min(end, extent),
                     std::min(end, extent + pads[axis + 2]) - begin});
    DLBENCH_ASSERT(spans.back().begin < spans.back().end, "a window holds only padding");
  }
  return spans;
}

// Windows in the order of the output array.
template <typename T, typename Visit>
void for_each_window(const NodeView<T>& view, Visit visit) {
  const model::Shape& in = view.inputs[0]->shape;
  DLBENCH_ASSERT(in.size() == 4 && view.node.output_shape.size() == 3, "pooling works on images");
  const std::vector<Span> all_rows = spans_of(view, 0);
  const std::vector<Span> all_columns = spans_of(view, 1);
  std::size_t output = 0;
  for (std::int64_t plane = 0; plane < in[0] * in[1]; ++plane) {
    for (const Span& rows : all_rows) {
      for (const Span& columns : all_columns) {
        visit(Window{output++, index_of(plane * in[2] * in[3]), in[3], rows.begin, rows.end, columns.begin,
                     columns.end, rows.padded * columns.padded});
      }
    }
  }
}

}  // namespace dlbench::oracle::ops
