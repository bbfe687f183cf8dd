#include <algorithm>
#include <optional>

#include "model/windows.hpp"
#include "ops.hpp"

namespace runner {

namespace {

using dlbench::model::flag;
using dlbench::model::integers;
using dlbench::model::Node;
using dlbench::model::Windows;

// Stands for minus infinity, which MXNet's attributes cannot say: no float is less.
constexpr const char* lowest = "-3.40282347e+38";

Symbol pool(const Node& node, const Windows& windows, Symbol input, const char* type, const char* fill) {
  const std::optional<Extents> own = windows.even_pads();
  if (!own) {
    input = pad(node, input, windows.pads(), fill);
  }
  return apply("Pooling", node.name, {input},
               {{"pool_type", type},
                {"kernel", tuple(integers(node, "kernel"))},
                {"stride", tuple(integers(node, "stride"))},
                {"pad", tuple(own.value_or(Extents{0, 0}))}});
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
  const Windows windows(node, input_shape(network, node));
  // MXNet's convention "full" rounds up as the graph does, but knows no rule for a last window in the pad.
  if (flag(node, "ceil_mode") && windows.are_rounded_up()) {
    const Extents& pads = integers(node, "pads");
    return apply("Pooling", node.name, {inputs[0]},
                 {{"pool_type", "max"},
                  {"kernel", tuple(integers(node, "kernel"))},
                  {"stride", tuple(integers(node, "stride"))},
                  {"pad", tuple({pads[0], pads[1]})},
                  {"pooling_convention", "full"}});
  }
  return pool(node, windows, inputs[0], "max", lowest);
}

// MXNet divides by the size of the kernel here; other divisors are a constant factor per window.
Symbol avg_pool(Network& network, const Node& node, const Inputs& inputs) {
  const Windows windows(node, input_shape(network, node));
  const Symbol means = pool(node, windows, inputs[0], "avg", "0");
  const std::vector<float> factors = windows.factors(flag(node, "count_include_pad"));
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
