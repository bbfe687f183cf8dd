#include "model/detail/window.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "model/builder.hpp"

namespace dlbench::model {
namespace {

// Output extent along one axis (0: height, 1: width). With ceil_mode the extent is rounded up, but the last
// window must start inside the input or its leading pad: a window of trailing padding alone has no value.
std::int64_t pooled_extent(const Node& node, const Shape& input, std::size_t axis) {
  const std::int64_t extent = input[axis + 1];
  const std::int64_t kernel = integers(node, "kernel")[axis];
  const std::int64_t stride = integers(node, "stride")[axis];
  const std::int64_t before = integers(node, "pads")[axis];
  const std::int64_t after = integers(node, "pads")[axis + 2];
  if (before >= kernel || after >= kernel) {
    throw base::UserError(
        fmt::format("pads {} and {} must be smaller than the kernel {}", before, after, kernel));
  }
  const std::int64_t span = extent + before + after - kernel;
  if (span < 0) {
    throw base::UserError(fmt::format("its kernel {} is larger than the padded input", kernel));
  }
  if (!flag(node, "ceil_mode")) {
    return span / stride + 1;
  }
  const std::int64_t windows = (span + stride - 1) / stride + 1;
  return (windows - 1) * stride < extent + before ? windows : windows - 1;
}

}  // namespace

void check_window_attribute(const Node& node, const std::string& attribute, std::size_t count,
                            std::int64_t low) {
  constexpr std::int64_t high = 65'535;
  const std::vector<std::int64_t>& values = integers(node, attribute);
  bool fits = values.size() == count;
  for (const std::int64_t value : values) {
    fits = fits && value >= low && value <= high;
  }
  if (!fits) {
    throw base::UserError(fmt::format("attribute '{}' is {}, must be {} integers in {} … {}", attribute,
                                      to_text(values), count, low, high));
  }
}

void check_image(const Shape& shape) {
  if (shape.size() != 3) {
    throw base::UserError(
        fmt::format("its input has shape {}, must be [channels, height, width]", to_text(shape)));
  }
}

std::vector<AttributeSpec> pooling_attributes() {
  return {
      {"kernel", AttributeKind::integers, std::nullopt, "[height, width] of the window in cells"},
      {"stride", AttributeKind::integers, std::nullopt, "[height, width] step of the window in cells"},
      {"pads", AttributeKind::integers, extents({0, 0, 0, 0}),
       "cells added at [top, left, bottom, right], each smaller than the kernel"},
      {"ceil_mode", AttributeKind::flag, false,
       "true: extents are rounded up; the last window must start inside the input or its leading pad"},
  };
}

Shape pooled_shape(const Node& node, const Shape& input) {
  check_image(input);
  check_window_attribute(node, "kernel", 2, 1);
  check_window_attribute(node, "stride", 2, 1);
  check_window_attribute(node, "pads", 4, 0);
  return {input[0], pooled_extent(node, input, 0), pooled_extent(node, input, 1)};
}

}  // namespace dlbench::model
