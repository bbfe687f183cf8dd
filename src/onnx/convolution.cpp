// Convolutions. ONNX's weights are [out, in / groups, kh, kw] and its pads [top, left, bottom, right], as
// ours.
#include <algorithm>

#include "onnx/operators.hpp"

namespace dlbench::onnx {
namespace {

// A convolution with a table as one over all input channels: what is not connected has weight 0. ONNX has no
// table; the sums gain exact zeros.
model::Tensor without_table(const model::Tensor& weight, const std::vector<std::int64_t>& table,
                            std::int64_t in_channels) {
  const std::int64_t out_channels = weight.shape.at(0);
  const std::int64_t connected = weight.shape.at(1);
  const std::int64_t cells = weight.shape.at(2) * weight.shape.at(3);
  model::Tensor full{{out_channels, in_channels, weight.shape[2], weight.shape[3]}, {}};
  full.values.assign(static_cast<std::size_t>(model::element_count(full.shape)), 0.0F);
  for (std::int64_t link = 0; link < out_channels * connected; ++link) {
    const std::int64_t out = link / connected;
    const std::int64_t in = table.at(static_cast<std::size_t>(link));
    std::copy_n(weight.values.begin() + link * cells, cells,
                full.values.begin() + (out * in_channels + in) * cells);
  }
  return full;
}

}  // namespace

std::string export_conv2d(const NodeExport& node) {
  std::vector<std::string> inputs = {node.inputs.at(0), parameter(node, 0)};
  if (node.weights.size() > 1) {
    inputs.push_back(parameter(node, 1));
  }
  const std::string output = node.writer.add("Conv", inputs, node.node.name);
  node.writer.integers("kernel_shape", model::integers(node.node, "kernel"))
      .integers("strides", model::integers(node.node, "stride"))
      .integers("pads", model::integers(node.node, "pads"))
      .integers("dilations", model::integers(node.node, "dilation"))
      .integer("group", model::integer(node.node, "groups"));
  return output;
}

std::string export_conv_table(const NodeExport& node) {
  const model::Tensor full =
      without_table(node.weights[0], model::integers(node.node, "table"), node.input_shapes.at(0).at(0));
  const std::string output = node.writer.add(
      "Conv", {node.inputs.at(0), parameter(node, 0, full), parameter(node, 1)}, node.node.name);
  node.writer.integers("kernel_shape", model::integers(node.node, "kernel"))
      .integers("strides", model::integers(node.node, "stride"));
  return output;
}

}  // namespace dlbench::onnx
