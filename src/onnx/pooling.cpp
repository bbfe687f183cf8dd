// Pooling. ONNX rounds window counts up as we do where there are no pads. With pads its operator set 13 keeps
// a last window that starts in the trailing pad, and readers differ in what an average counts there: such
// windows are said by pads with which rounding down makes them.
#include <algorithm>

#include "model/windows.hpp"
#include "onnx/operators.hpp"

namespace dlbench::onnx {
namespace {

bool has_pads(const NodeExport& node) {
  return std::ranges::any_of(model::integers(node.node, "pads"), [](std::int64_t pad) { return pad > 0; });
}

bool needs_own_pads(const NodeExport& node) {
  return model::flag(node.node, "ceil_mode") && has_pads(node);
}

Writer& window(const NodeExport& node, const char* op_type, const std::string& output) {
  const bool own_pads = needs_own_pads(node);
  node.writer.add(op_type, node.inputs, output);
  return node.writer.integers("kernel_shape", model::integers(node.node, "kernel"))
      .integers("strides", model::integers(node.node, "stride"))
      .integers("pads", own_pads ? model::Windows(node.node, node.input_shapes.at(0)).pads()
                                 : model::integers(node.node, "pads"))
      .integer("ceil_mode", model::flag(node.node, "ceil_mode") && !own_pads ? 1 : 0);
}

}  // namespace

std::string export_max_pool(const NodeExport& node) {
  window(node, "MaxPool", node.node.name);
  return node.node.name;
}

std::string export_avg_pool(const NodeExport& node) {
  const bool counts_pads = model::flag(node.node, "count_include_pad");
  const std::string& name = node.node.name;
  if (!counts_pads || !needs_own_pads(node)) {
    window(node, "AveragePool", name).integer("count_include_pad", counts_pads ? 1 : 0);
    return name;
  }
  // Averages over whole windows, cells that are there only to round up included, with a factor for each
  // window.
  const model::Windows windows(node.node, node.input_shapes.at(0));
  const model::Shape& extents = node.node.output_shape;
  window(node, "AveragePool", name + ".whole").integer("count_include_pad", 1);
  const std::string factors =
      node.writer.floats(name + ".factors", {{1, 1, extents[1], extents[2]}, windows.factors(true)});
  return node.writer.add("Mul", {name + ".whole", factors}, name);
}

std::string export_global_avg_pool(const NodeExport& node) {
  return node.writer.add("GlobalAveragePool", node.inputs, node.node.name);
}

}  // namespace dlbench::onnx
