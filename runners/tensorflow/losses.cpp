#include "losses.hpp"

#include "ops.hpp"

namespace runner {

namespace {

using dlbench::model::Node;
using dlbench::model::Shape;

TF_Output as_float(Graph& graph, TF_Output values) {
  return Op(graph, "Cast").input(values).type("DstT", TF_FLOAT).result();
}

// What is summed or differentiated for each target becomes that of the mean.
TF_Output share(Graph& graph, TF_Output gradient, TF_Output target) {
  return graph.apply("RealDiv", {gradient, as_float(graph, graph.apply("Size", {target}))});
}

// TensorFlow's operator gives loss and gradient of each row; positions are rows like samples.
Loss softmax_cross_entropy(Network& network, const Node& node, TF_Output logits, TF_Output target) {
  Graph& graph = network.graph();
  const Shape& shape = input_shape(network, node);
  const bool has_positions = shape.size() == 2;
  const TF_Output rows =
      has_positions ? graph.apply("Reshape", {logits, graph.integers({-1, shape[1]})}) : logits;
  TF_Operation* per_row = Op(graph, "SparseSoftmaxCrossEntropyWithLogits").input(rows).input(target).finish();
  const TF_Output gradient = share(graph, {per_row, 1}, target);
  return {graph.apply("Mean", {{per_row, 0}, graph.integers({0})}),
          has_positions ? graph.apply("Reshape", {gradient, graph.apply("Shape", {logits})}) : gradient};
}

// The operations of tf.nn.sigmoid_cross_entropy_with_logits, max(x, 0) - x z + ln(1 + exp(-|x|)), and those
// that TensorFlow's registry adds as their gradients.
Loss binary_cross_entropy(Network& network, const Node& /*node*/, TF_Output logits, TF_Output target) {
  Graph& graph = network.graph();
  const TF_Output x = graph.apply("Reshape", {logits, graph.integers({-1})});
  const TF_Output z = as_float(graph, target);
  const TF_Output zeros = graph.apply("ZerosLike", {x});
  const TF_Output is_positive = graph.apply("GreaterEqual", {x, zeros});
  const TF_Output relu = graph.apply("SelectV2", {is_positive, x, zeros});
  const TF_Output below = graph.apply("SelectV2", {is_positive, graph.apply("Neg", {x}), x});
  const TF_Output exponential = graph.apply("Exp", {below});
  const TF_Output linear = graph.apply("Sub", {relu, graph.apply("Mul", {x, z})});
  const TF_Output loss = graph.apply("AddV2", {linear, graph.apply("Log1p", {exponential})});
  const TF_Output slope =
      graph.apply("Reciprocal", {graph.apply("AddV2", {graph.constant(1.0F), exponential})});
  const TF_Output curve = graph.apply("Mul", {slope, exponential});
  const TF_Output signed_curve = graph.apply("SelectV2", {is_positive, graph.apply("Neg", {curve}), curve});
  const TF_Output gradient =
      graph.apply("AddV2", {graph.apply("Sub", {as_float(graph, is_positive), z}), signed_curve});
  return {graph.apply("Mean", {loss, graph.integers({0})}),
          graph.apply("Reshape", {share(graph, gradient, target), graph.apply("Shape", {logits})})};
}

}  // namespace

const dlbench::sdk::Table<AddLoss>& losses() {
  static const dlbench::sdk::Table<AddLoss> table("op", {{"binary_cross_entropy", binary_cross_entropy},
                                                         {"softmax_cross_entropy", softmax_cross_entropy}});
  return table;
}

}  // namespace runner
