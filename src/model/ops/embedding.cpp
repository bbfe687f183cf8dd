#include <fmt/format.h>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& node, const std::vector<Shape>& inputs) {
  if (inputs[0].size() != 1) {
    throw base::UserError(fmt::format("its input has shape {}, must be [positions]", to_text(inputs[0])));
  }
  for (const char* extent : {"vocabulary", "features"}) {
    if (integer(node, extent) < 1) {
      throw base::UserError(fmt::format("{} must be at least 1", extent));
    }
  }
  return {inputs[0][0], integer(node, "features")};
}

// A row is read as it is, nothing is summed: the initialiser draws values as for a layer that reads one row.
std::vector<Parameter> embedding_parameters(const Node& node, const std::vector<Shape>& /*inputs*/) {
  const std::int64_t vocabulary = integer(node, "vocabulary");
  const std::int64_t features = integer(node, "features");
  return {{node.name + ".weight", ParameterRole::weight, {vocabulary, features}, features, features}};
}

// So few words that some come twice in a sample and some never: gradients add up, and untouched rows stay.
std::vector<Graph> test_graphs() {
  return {
      Builder("embedding_flat", {4}, 9)
          .add("words", "embedding", {{"vocabulary", count(9)}, {"features", count(3)}})
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(4)}})
          .finish(),
      Builder("embedding_positions", {5}, 40)
          .add("words", "embedding", {{"vocabulary", count(40)}, {"features", count(6)}})
          .add("score", "dense", {{"out_features", count(7)}})
          .finish(),
  };
}

}  // namespace

OpSpec embedding_spec() {
  OpSpec spec;
  spec.name = "embedding";
  spec.definition = "y[t] = W[x[t]], the rows of W that the tokens name; W is [vocabulary, features]";
  spec.reads_tokens = true;
  spec.attributes = {
      {"vocabulary", AttributeKind::integer, std::nullopt, "rows of W; that of the graph"},
      {"features", AttributeKind::integer, std::nullopt, "values for each token"},
  };
  spec.output_shape = output_shape;
  spec.parameters = embedding_parameters;
  spec.test_graphs = test_graphs;
  return spec;
}

}  // namespace dlbench::model
