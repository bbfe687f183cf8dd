#include <fmt/format.h>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& /*node*/, const std::vector<Shape>& inputs) {
  if (inputs[0] != Shape{1}) {
    throw base::UserError(fmt::format("its input has shape {}, must be [1]", to_text(inputs[0])));
  }
  return {};
}

Labels labels(const Shape& /*logits*/) {
  return {2, 1};
}

std::vector<Graph> test_graphs() {
  return {
      Builder("binary_cross_entropy", {5})
          .add("score", "dense", {{"out_features", count(1)}})
          .finish("binary_cross_entropy"),
  };
}

}  // namespace

OpSpec binary_cross_entropy_spec() {
  OpSpec spec;
  spec.name = "binary_cross_entropy";
  spec.definition =
      "mean over the batch of ln(1 + exp(x)) - x target, x the logit of target 1 against target 0";
  spec.is_loss = true;
  spec.output_shape = output_shape;
  spec.labels = labels;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
