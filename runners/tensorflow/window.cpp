#include "window.hpp"

namespace runner {

Extents nhwc_pads(const Extents& pads) {
  return {0, 0, pads[0], pads[2], pads[1], pads[3], 0, 0};
}

void set_window(Op& op, const dlbench::model::Node& node, const dlbench::model::Windows& windows) {
  const Extents& stride = dlbench::model::integers(node, "stride");
  op.integers("strides", {1, stride[0], stride[1], 1});
  if (!windows.is_padded()) {
    op.text("padding", "VALID");
  } else if (windows.are_same()) {
    op.text("padding", "SAME");
  } else {
    op.text("padding", "EXPLICIT").integers("explicit_paddings", nhwc_pads(windows.pads()));
  }
}

}  // namespace runner
