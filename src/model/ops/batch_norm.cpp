#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/detail/between_convolutions.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& node, const std::vector<Shape>& inputs) {
  if (inputs[0].size() != 1 && inputs[0].size() != 3) {
    throw base::UserError(fmt::format(
        "its input has shape {}, must be [features] or [channels, height, width]", to_text(inputs[0])));
  }
  const double epsilon = real(node, "epsilon");
  if (!(epsilon > 0.0 && epsilon <= 1.0)) {
    throw base::UserError("epsilon must be greater than 0 and at most 1");
  }
  const double momentum = real(node, "momentum");
  if (!(momentum > 0.0 && momentum < 1.0)) {
    throw base::UserError("momentum must lie between 0 and 1");
  }
  return inputs[0];
}

std::vector<Parameter> batch_norm_parameters(const Node& node, const std::vector<Shape>& inputs) {
  const Shape shape = {inputs[0][0]};
  return {{node.name + ".scale", ParameterRole::scale, shape, 1, 1},
          {node.name + ".shift", ParameterRole::shift, shape, 1, 1},
          {node.name + ".mean", ParameterRole::mean, shape, 1, 1},
          {node.name + ".variance", ParameterRole::variance, shape, 1, 1}};
}

// The momentum is large beside its usual 0.1, so that a few steps move the running statistics far.
std::vector<Graph> test_graphs() {
  return {
      Builder("batch_norm_image", {2, 5, 4})
          .add("conv", "conv2d", {{"out_channels", count(4)}, {"kernel", extents({2, 2})}})
          .add("norm", "batch_norm", {{"epsilon", 0.01}, {"momentum", 0.3}})
          .add("relu", "relu")
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      Builder("batch_norm_features", {7})
          .add("first", "dense", {{"out_features", count(6)}})
          .add("norm", "batch_norm", {{"epsilon", 0.05}, {"momentum", 0.2}})
          .add("tanh", "tanh")
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      between_convolutions("batch_norm", {{"epsilon", 0.01}, {"momentum", 0.3}}),
  };
}

}  // namespace

OpSpec batch_norm_spec() {
  OpSpec spec;
  spec.name = "batch_norm";
  spec.definition =
      "y = scale (x - m) / sqrt(v + epsilon) + shift, for each channel; in training m and v are mean and "
      "biased variance of the batch, and mean <- (1 - momentum) mean + momentum m, variance likewise with "
      "the "
      "unbiased variance of the batch; in evaluation m and v are mean and variance";
  spec.attributes = {
      {"epsilon", AttributeKind::real, 1e-5, "keeps the divisor off zero, in (0, 1]"},
      {"momentum", AttributeKind::real, 0.1, "share of the batch in the new running statistics, in (0, 1)"},
  };
  spec.output_shape = output_shape;
  spec.parameters = batch_norm_parameters;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
