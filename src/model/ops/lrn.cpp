#include <cmath>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/detail/between_convolutions.hpp"
#include "model/detail/window.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& node, const std::vector<Shape>& inputs) {
  check_image(inputs[0]);
  const std::int64_t size = integer(node, "size");
  if (size < 1 || size > max_extent || size % 2 == 0) {
    throw base::UserError("size must be odd and at least 1");
  }
  const auto is_positive = [&node](const char* name) {
    return std::isfinite(real(node, name)) && real(node, name) > 0.0;
  };
  if (!is_positive("alpha") || !is_positive("beta") || !is_positive("k")) {
    throw base::UserError("alpha, beta and k must be finite and greater than 0");
  }
  return inputs[0];
}

Graph test_graph(const std::string& name, Attributes attributes) {
  return Builder(name, {2, 4, 5})
      .add("conv", "conv2d", {{"out_channels", count(6)}, {"kernel", extents({2, 2})}})
      .add("norm", "lrn", std::move(attributes))
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(3)}})
      .finish();
}

// alpha is large beside its usual 2e-5, so that every term of the formula shows.
std::vector<Graph> test_graphs() {
  return {
      test_graph("lrn_narrow", {{"size", count(3)}, {"alpha", 0.3}}),
      test_graph("lrn_wide", {{"size", count(5)}, {"alpha", 0.1}, {"beta", 0.5}, {"k", 2.0}}),
      // The window is wider than the channels there are.
      test_graph("lrn_beyond", {{"size", count(13)}, {"alpha", 0.2}, {"beta", 1.0}, {"k", 1.0}}),
      between_convolutions("lrn", {{"size", count(3)}, {"alpha", 0.3}}),
  };
}

}  // namespace

OpSpec lrn_spec() {
  OpSpec spec;
  spec.name = "lrn";
  spec.definition =
      "y = x / (k + alpha * sum of x²)^beta, the sum over the `size` channels around each one at the same "
      "place; alpha is not divided by size";
  spec.attributes = {
      {"size", AttributeKind::integer, std::nullopt, "number of channels in the sum, odd"},
      {"alpha", AttributeKind::real, std::nullopt, "factor of the sum, greater than 0"},
      {"beta", AttributeKind::real, 0.75, "exponent, greater than 0"},
      {"k", AttributeKind::real, 1.0, "constant added to the sum, greater than 0"},
  };
  spec.output_shape = output_shape;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
