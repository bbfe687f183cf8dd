// How a window of the graph is padded in TensorFlow, and the attributes that say so.
#pragma once

#include "graph.hpp"
#include "model/graph.hpp"

namespace runner {

// [top, left, bottom, right] with which windows rounded down are exactly the graph's: the trailing ones hold
// what the last windows cover beyond the input, and nothing that no window reads. `reach`: cells from the
// first to the last cell of a window.
[[nodiscard]] Extents effective_pads(const dlbench::model::Node& node, const dlbench::model::Shape& input,
                                     const Extents& reach);

[[nodiscard]] bool has_pads(const Extents& pads);
// Whether TensorFlow's own rule SAME gives these pads.
[[nodiscard]] bool is_same(const dlbench::model::Node& node, const dlbench::model::Shape& input,
                           const Extents& reach, const Extents& pads);

// What "explicit_paddings" and the operator Pad want for NHWC.
[[nodiscard]] Extents nhwc_pads(const Extents& pads);

// Sets padding and strides; SAME and VALID where they give the pads, else EXPLICIT.
void set_window(Op& op, const dlbench::model::Node& node, const dlbench::model::Shape& input,
                const Extents& reach);

}  // namespace runner
