#include <fmt/format.h>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& node, const std::vector<Shape>& inputs) {
  if (inputs[0].empty() || inputs[0].size() > 2) {
    throw base::UserError(fmt::format("its input has shape {}, must be [features] or [positions, features]",
                                      to_text(inputs[0])),
                          {}, "put a flatten before it");
  }
  if (integer(node, "out_features") < 1) {
    throw base::UserError("out_features must be at least 1");
  }
  Shape shape = inputs[0];
  shape.back() = integer(node, "out_features");
  return shape;
}

std::vector<Parameter> dense_parameters(const Node& node, const std::vector<Shape>& inputs) {
  const std::int64_t in = inputs[0].back();
  const std::int64_t out = integer(node, "out_features");
  std::vector<Parameter> result = {{node.name + ".weight", ParameterRole::weight, {out, in}, in, out}};
  if (flag(node, "bias")) {
    result.push_back({node.name + ".bias", ParameterRole::bias, {out}, in, out});
  }
  return result;
}

std::int64_t macs(const Node& node, const std::vector<Shape>& inputs) {
  return element_count(node.output_shape) * inputs[0].back();
}

std::vector<Graph> test_graphs() {
  return {
      Builder("dense_bias", {7})
          .add("first", "dense", {{"out_features", count(5)}})
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      Builder("dense_no_bias", {6})
          .add("first", "dense", {{"out_features", count(4)}, {"bias", false}})
          .add("score", "dense", {{"out_features", count(5)}, {"bias", false}})
          .finish(),
  };
}

}  // namespace

OpSpec dense_spec() {
  OpSpec spec;
  spec.name = "dense";
  spec.definition = "y = x Wᵀ + b, for each position of [positions, features]; W is [out, in]";
  spec.attributes = {
      {"out_features", AttributeKind::integer, std::nullopt, "number of output features"},
      {"bias", AttributeKind::flag, true, "true: one bias for each output feature"},
  };
  spec.output_shape = output_shape;
  spec.parameters = dense_parameters;
  spec.macs = macs;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
