#include "window.hpp"

#include <algorithm>

namespace runner {

using dlbench::model::integers;
using dlbench::model::Node;
using dlbench::model::Shape;

Extents effective_pads(const Node& node, const Shape& input, const Extents& reach) {
  Extents pads = integers(node, "pads");
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t covered =
        (node.output_shape[axis + 1] - 1) * integers(node, "stride")[axis] + reach[axis];
    pads[axis + 2] = std::max<std::int64_t>(0, covered - input[axis + 1] - pads[axis]);
  }
  return pads;
}

bool has_pads(const Extents& pads) {
  return std::ranges::any_of(pads, [](std::int64_t pad) { return pad != 0; });
}

bool is_same(const Node& node, const Shape& input, const Extents& reach, const Extents& pads) {
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t stride = integers(node, "stride")[axis];
    const std::int64_t extent = input[axis + 1];
    const std::int64_t windows = (extent + stride - 1) / stride;
    const std::int64_t total = std::max<std::int64_t>(0, (windows - 1) * stride + reach[axis] - extent);
    if (node.output_shape[axis + 1] != windows || pads[axis] != total / 2 ||
        pads[axis + 2] != total - total / 2) {
      return false;
    }
  }
  return true;
}

Extents nhwc_pads(const Extents& pads) {
  return {0, 0, pads[0], pads[2], pads[1], pads[3], 0, 0};
}

void set_window(Op& op, const Node& node, const Shape& input, const Extents& reach) {
  const Extents pads = effective_pads(node, input, reach);
  const Extents& stride = integers(node, "stride");
  op.integers("strides", {1, stride[0], stride[1], 1});
  if (!has_pads(pads)) {
    op.text("padding", "VALID");
  } else if (is_same(node, input, reach, pads)) {
    op.text("padding", "SAME");
  } else {
    op.text("padding", "EXPLICIT").integers("explicit_paddings", nhwc_pads(pads));
  }
}

}  // namespace runner
