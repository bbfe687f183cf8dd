#include "gradients.hpp"

namespace runner {

namespace {

namespace model = dlbench::model;

void clip_elements(Network& network, double limit) {
  Graph& graph = network.graph();
  const TF_Output lowest = graph.constant(static_cast<float>(-limit));
  const TF_Output highest = graph.constant(static_cast<float>(limit));
  for (Variable* variable : network.trained()) {
    variable->gradient = graph.apply("ClipByValue", {variable->gradient, lowest, highest});
  }
}

// As tf.linalg.global_norm composes it.
TF_Output global_norm(Network& network) {
  Graph& graph = network.graph();
  std::vector<TF_Output> half_squares;
  for (const Variable* variable : network.trained()) {
    half_squares.push_back(graph.apply("L2Loss", {variable->gradient}));
  }
  const TF_Output all = Op(graph, "Pack").list(half_squares).result();
  const TF_Output half_square = graph.apply("Sum", {all, graph.integers({0})});
  return graph.apply("Sqrt", {graph.apply("Mul", {half_square, graph.constant(2.0F)})});
}

// As tf.clip_by_global_norm composes it: the last sum is NaN where the norm is not finite.
void clip_global_norm(Network& network, double wanted) {
  Graph& graph = network.graph();
  const TF_Output limit = graph.constant(static_cast<float>(wanted));
  const TF_Output one = graph.constant(1.0F);
  const TF_Output norm = global_norm(network);
  const TF_Output smaller =
      graph.apply("Minimum", {graph.apply("RealDiv", {one, norm}), graph.apply("RealDiv", {one, limit})});
  const TF_Output scale =
      graph.apply("AddV2", {graph.apply("Mul", {limit, smaller}), graph.apply("Sub", {norm, norm})});
  for (Variable* variable : network.trained()) {
    variable->gradient = graph.apply("Mul", {variable->gradient, scale});
  }
}

void clip_gradients(Network& network, const model::Clip& clip) {
  switch (clip.by) {
    case model::ClipBy::none:
      return;
    case model::ClipBy::element:
      return clip_elements(network, clip.limit);
    case model::ClipBy::global_norm:
      return clip_global_norm(network, clip.limit);
  }
}

// The gradient of the loss with the penalty λ/2 · Σw².
void add_decay(Network& network, const model::Optimizer& wanted) {
  Graph& graph = network.graph();
  for (Variable* variable : network.trained()) {
    if (wanted.weight_decay != 0.0 && model::decays(variable->role, wanted)) {
      const TF_Output decay = graph.constant(static_cast<float>(wanted.weight_decay));
      const TF_Output penalty = graph.apply("Mul", {decay, variable->value});
      variable->gradient = graph.apply("AddV2", {variable->gradient, penalty});
    }
  }
}

}  // namespace

void change_gradients(Network& network, const model::Recipe& recipe) {
  clip_gradients(network, recipe.clip);
  add_decay(network, recipe.optimizer);
}

}  // namespace runner
