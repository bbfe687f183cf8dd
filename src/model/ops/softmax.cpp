#include <fmt/format.h>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& /*node*/, const std::vector<Shape>& inputs) {
  if (inputs[0].size() != 1) {
    throw base::UserError(fmt::format("its input has shape {}, must be [features]", to_text(inputs[0])));
  }
  return inputs[0];
}

std::vector<Graph> test_graphs() {
  return {
      Builder("softmax_inside", {6})
          .add("first", "dense", {{"out_features", count(7)}})
          .add("shares", "softmax")
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      // Shares taken for logits: wrong in most networks, but a network like any other.
      Builder("softmax_before_loss", {5})
          .add("first", "dense", {{"out_features", count(4)}})
          .add("shares", "softmax")
          .finish(),
  };
}

}  // namespace

OpSpec softmax_spec() {
  OpSpec spec;
  spec.name = "softmax";
  spec.definition = "y[i] = exp(x[i]) / sum over j of exp(x[j]), over the features of each sample";
  spec.output_shape = output_shape;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
