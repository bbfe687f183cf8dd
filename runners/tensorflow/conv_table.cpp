// Connection tables, as full convolutions whose missing connections are zeros: TensorFlow has none of its
// own.
#include "convolution.hpp"

namespace runner {

namespace {

using dlbench::model::integers;
using dlbench::model::Node;
using dlbench::sdk::Layout;

// [in, out] of each connection, in the order of the table.
TF_Output connections(Graph& graph, const Node& node) {
  const Extents& table = integers(node, "table");
  const std::int64_t readings = node.parameters.front().shape[1];
  Extents places;
  for (std::size_t i = 0; i < table.size(); ++i) {
    places.push_back(table[i]);
    places.push_back(static_cast<std::int64_t>(i) / readings);
  }
  return graph.apply("Reshape", {graph.integers(places), graph.integers({-1, 2})});
}

}  // namespace

Value conv_table(Network& network, const Node& node, const Inputs& inputs) {
  Graph& graph = network.graph();
  const auto& weight = node.parameters.front();
  const Extents& shape = weight.shape;  // [out, readings, height, width]
  const std::int64_t channels = input_shape(network, node)[0];
  const std::size_t place = network.add_variable(weight, Layout(shape).permute({2, 3, 1, 0}));
  const TF_Output places = connections(graph, node);
  const TF_Output by_output = graph.apply("Transpose", {network.read(place), graph.integers({3, 2, 0, 1})});
  const TF_Output rows =
      graph.apply("Reshape", {by_output, graph.integers({shape[0] * shape[1], shape[2], shape[3]})});
  const TF_Output full =
      graph.apply("ScatterNd", {places, rows, graph.integers({channels, shape[0], shape[2], shape[3]})});
  const Kernel kernel{graph.apply("Transpose", {full, graph.integers({2, 3, 0, 1})}),
                      {shape[2], shape[3], channels, shape[0]},
                      [=, &network, &graph](TF_Output gradient) {
                        const TF_Output by_input =
                            graph.apply("Transpose", {gradient, graph.integers({2, 3, 0, 1})});
                        const TF_Output taken = graph.apply("GatherNd", {by_input, places});
                        const TF_Output canonical = graph.apply("Reshape", {taken, graph.integers(shape)});
                        network.variables()[place].gradient =
                            graph.apply("Transpose", {canonical, graph.integers({2, 3, 1, 0})});
                      }};
  const Extents& stride = integers(node, "stride");
  const Value result = convolve(network, plain_convolution, inputs[0], kernel, [=](Op& op) {
    op.integers("strides", {1, stride[0], stride[1], 1}).text("padding", "VALID");
  });
  return add_bias(network, node, result);
}

}  // namespace runner
