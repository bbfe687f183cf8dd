#include <fmt/format.h>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& /*node*/, const std::vector<Shape>& inputs) {
  if (inputs[0].empty() || inputs[0].size() > 2 || inputs[0].back() < 2) {
    throw base::UserError(
        fmt::format("its input has shape {}, must be [classes] or [positions, classes], at least 2 classes",
                    to_text(inputs[0])));
  }
  return {};
}

Labels labels(const Shape& logits) {
  return {logits.back(), logits.size() == 2 ? logits[0] : 1};
}

std::vector<Graph> test_graphs() {
  return {
      Builder("softmax_cross_entropy_two", {4}).add("score", "dense", {{"out_features", count(2)}}).finish(),
      Builder("softmax_cross_entropy_seven", {5})
          .add("score", "dense", {{"out_features", count(7)}})
          .finish(),
  };
}

}  // namespace

OpSpec softmax_cross_entropy_spec() {
  OpSpec spec;
  spec.name = "softmax_cross_entropy";
  spec.definition =
      "mean over the batch, and over the positions of [positions, classes], of ln(sum of exp(x)) - "
      "x[target]; the "
      "natural logarithm";
  spec.is_loss = true;
  spec.output_shape = output_shape;
  spec.labels = labels;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
