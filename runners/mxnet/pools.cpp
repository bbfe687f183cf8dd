#include <algorithm>
#include <optional>

#include "ops.hpp"

namespace runner {

namespace {

using dlbench::model::flag;
using dlbench::model::integers;
using dlbench::model::Node;
using dlbench::model::Shape;

// Stands for minus infinity, which MXNet's attributes cannot say: no float is less.
constexpr const char* lowest = "-3.40282347e+38";

// [top, left, bottom, right] with which windows rounded down are exactly the graph's.
Extents covering_pads(const Node& node, const Shape& input) {
  Extents pads = integers(node, "pads");
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t covered =
        (node.output_shape[axis + 1] - 1) * integers(node, "stride")[axis] + integers(node, "kernel")[axis];
    pads[axis + 2] = std::max<std::int64_t>(0, covered - input[axis + 1] - pads[axis]);
  }
  return pads;
}

// Pads on both sides of an axis, MXNet's own kind, with which rounding down makes the graph's windows.
std::optional<Extents> even_pads(const Node& node, const Shape& input) {
  const Extents& pads = integers(node, "pads");
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t span = input[axis + 1] + 2 * pads[axis] - integers(node, "kernel")[axis];
    if (span / integers(node, "stride")[axis] + 1 != node.output_shape[axis + 1]) {
      return std::nullopt;
    }
  }
  return Extents{pads[0], pads[1]};
}

// MXNet's convention "full" rounds up as the graph does, but knows no rule for a last window in the pad.
bool is_full(const Node& node, const Shape& input) {
  const Extents& pads = integers(node, "pads");
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t stride = integers(node, "stride")[axis];
    const std::int64_t span = input[axis + 1] + 2 * pads[axis] - integers(node, "kernel")[axis];
    if (pads[axis] != pads[axis + 2] || (span + stride - 1) / stride + 1 != node.output_shape[axis + 1]) {
      return false;
    }
  }
  return true;
}

Symbol pool(const Network& network, const Node& node, Symbol input, const char* type, const char* fill) {
  const Shape& shape = input_shape(network, node);
  const std::optional<Extents> own = even_pads(node, shape);
  if (!own) {
    input = pad(node, input, covering_pads(node, shape), fill);
  }
  return apply("Pooling", node.name, {input},
               {{"pool_type", type},
                {"kernel", tuple(integers(node, "kernel"))},
                {"stride", tuple(integers(node, "stride"))},
                {"pad", tuple(own.value_or(Extents{0, 0}))}});
}

// Cells of the window at `index` along one axis that count for the divisor.
std::int64_t counted(const Node& node, const Shape& input, std::size_t axis, std::int64_t index) {
  const bool with_pads = flag(node, "count_include_pad");
  const Extents& pads = integers(node, "pads");
  const std::int64_t begin = index * integers(node, "stride")[axis] - pads[axis];
  const std::int64_t end = begin + integers(node, "kernel")[axis];
  const std::int64_t low = with_pads ? -pads[axis] : 0;
  const std::int64_t high = input[axis + 1] + (with_pads ? pads[axis + 2] : 0);
  return std::min(end, high) - std::max(begin, low);
}

// What makes averages over whole windows those of the graph, window by window.
std::vector<float> factors_of(const Node& node, const Shape& input) {
  const Extents& kernel = integers(node, "kernel");
  std::vector<float> factors;
  for (std::int64_t row = 0; row < node.output_shape[1]; ++row) {
    for (std::int64_t column = 0; column < node.output_shape[2]; ++column) {
      const std::int64_t divisor = counted(node, input, 0, row) * counted(node, input, 1, column);
      factors.push_back(
          static_cast<float>(static_cast<double>(kernel[0] * kernel[1]) / static_cast<double>(divisor)));
    }
  }
  return factors;
}

}  // namespace

Symbol pad(const Node& node, const Symbol& input, const Extents& pads, const char* value) {
  return apply("Pad", node.name + "_pad", {input},
               {{"mode", "constant"},
                {"constant_value", value},
                {"pad_width", tuple({0, 0, 0, 0, pads[0], pads[2], pads[1], pads[3]})}});
}

// Windows that are rounded up need no pad of their own here; averages do, for the sake of their divisors.
Symbol max_pool(Network& network, const Node& node, const Inputs& inputs) {
  if (flag(node, "ceil_mode") && is_full(node, input_shape(network, node))) {
    const Extents& pads = integers(node, "pads");
    return apply("Pooling", node.name, {inputs[0]},
                 {{"pool_type", "max"},
                  {"kernel", tuple(integers(node, "kernel"))},
                  {"stride", tuple(integers(node, "stride"))},
                  {"pad", tuple({pads[0], pads[1]})},
                  {"pooling_convention", "full"}});
  }
  return pool(network, node, inputs[0], "max", lowest);
}

// MXNet divides by the size of the kernel here; other divisors are a constant factor per window.
Symbol avg_pool(Network& network, const Node& node, const Inputs& inputs) {
  const Symbol means = pool(network, node, inputs[0], "avg", "0");
  const std::vector<float> factors = factors_of(node, input_shape(network, node));
  if (std::ranges::all_of(factors, [](float factor) { return factor == 1.0F; })) {
    return means;
  }
  const Symbol constant = network.add_constant(node.name + "_factors",
                                               {1, 1, node.output_shape[1], node.output_shape[2]}, factors);
  return apply("broadcast_mul", node.name + "_scaled", {means, constant});
}

Symbol global_avg_pool(Network& /*network*/, const Node& node, const Inputs& inputs) {
  return apply("Pooling", node.name, {inputs[0]}, {{"pool_type", "avg"}, {"global_pool", "True"}});
}

}  // namespace runner
