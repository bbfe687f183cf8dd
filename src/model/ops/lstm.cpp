#include <fmt/format.h>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

constexpr std::int64_t gates = 4;

Shape output_shape(const Node& node, const std::vector<Shape>& inputs) {
  if (inputs[0].size() != 2) {
    throw base::UserError(
        fmt::format("its input has shape {}, must be [positions, features]", to_text(inputs[0])));
  }
  const std::int64_t hidden = integer(node, "hidden");
  if (hidden < 1) {
    throw base::UserError("hidden must be at least 1");
  }
  return flag(node, "last_only") ? Shape{hidden} : Shape{inputs[0][0], hidden};
}

std::vector<Parameter> lstm_parameters(const Node& node, const std::vector<Shape>& inputs) {
  const std::int64_t in = inputs[0][1];
  const std::int64_t hidden = integer(node, "hidden");
  const std::int64_t rows = gates * hidden;
  return {
      {node.name + ".weight", ParameterRole::weight, {rows, in}, in, hidden},
      {node.name + ".recurrent", ParameterRole::recurrent, {rows, hidden}, hidden, hidden},
      {node.name + ".bias", ParameterRole::bias, {rows}, in + hidden, hidden},
  };
}

std::int64_t macs(const Node& node, const std::vector<Shape>& inputs) {
  const std::int64_t hidden = integer(node, "hidden");
  return inputs[0][0] * gates * hidden * (inputs[0][1] + hidden);
}

std::vector<Graph> test_graphs() {
  return {
      Builder("lstm_last", {6, 3})
          .add("memory", "lstm", {{"hidden", count(5)}, {"last_only", true}})
          .add("score", "dense", {{"out_features", count(4)}})
          .finish(),
      // Two layers, a target for each position.
      Builder("lstm_two_layers", {4, 3})
          .add("first", "lstm", {{"hidden", count(4)}})
          .add("second", "lstm", {{"hidden", count(6)}})
          .add("score", "dense", {{"out_features", count(5)}})
          .finish(),
      // The last position alone hands its gradient down to all positions of the layer below.
      Builder("lstm_last_of_two", {5, 3})
          .add("first", "lstm", {{"hidden", count(4)}})
          .add("second", "lstm", {{"hidden", count(4)}, {"last_only", true}})
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      Builder("lstm_words", {7}, 11)
          .add("words", "embedding", {{"vocabulary", count(11)}, {"features", count(4)}})
          .add("memory", "lstm", {{"hidden", count(5)}})
          .add("score", "dense", {{"out_features", count(11)}})
          .finish(),
  };
}

}  // namespace

OpSpec lstm_spec() {
  OpSpec spec;
  spec.name = "lstm";
  spec.definition =
      "a = W x[t] + R h[t-1] + b in four blocks of rows i, f, g, o; c[t] = σ(f) c[t-1] + σ(i) tanh(g), h[t] "
      "= "
      "σ(o) tanh(c[t]), h and c 0 before the first position; W is [4 hidden, features], R [4 hidden, "
      "hidden], "
      "one bias";
  spec.attributes = {
      {"hidden", AttributeKind::integer, std::nullopt, "elements of h and c"},
      {"last_only", AttributeKind::flag, false,
       "true: h of the last position alone; false: [positions, hidden]"},
  };
  spec.output_shape = output_shape;
  spec.parameters = lstm_parameters;
  spec.macs = macs;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
