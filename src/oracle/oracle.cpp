#include "oracle/oracle.hpp"

#include "oracle/walk.hpp"

namespace dlbench::oracle {
namespace {

enum class Pass { evaluation, training };

template <typename T>
Evaluation evaluate(const model::Graph& graph, const model::Weights& weights, const model::Batch& batch,
                    const Arithmetic& arithmetic, Pass pass) {
  Products<T> products(arithmetic.rounding.variation);
  std::vector<Array<T>> seen = from_weights<T>(weights);
  for (Array<T>& array : seen) {
    products.perturb(array);
  }
  Walk<T> walk(graph, seen, batch, products,
               {.training = pass != Pass::evaluation, .step = 0, .arithmetic = &arithmetic});
  Evaluation result;
  result.logits = to_doubles(walk.logits().values);
  result.loss = walk.loss();
  if constexpr (is_judge<T>) {
    result.logits_scale = walk.logits_scale();
  }
  if (pass == Pass::training) {
    Gradients<T> gradients = walk.backward(is_judge<T>);
    result.gradients = to_doubles(gradients.values);
    result.gradient_scales = std::move(gradients.scales);
  }
  return result;
}

Evaluation evaluate(const model::Graph& graph, const model::Weights& weights, const model::Batch& batch,
                    Precision precision, const Arithmetic& arithmetic, Pass pass) {
  return precision == Precision::fp64 ? evaluate<double>(graph, weights, batch, arithmetic, pass)
                                      : evaluate<float>(graph, weights, batch, arithmetic, pass);
}

}  // namespace

Evaluation infer(const model::Graph& graph, const model::Weights& weights, const model::Batch& batch,
                 Precision precision, const Arithmetic& arithmetic) {
  return evaluate(graph, weights, batch, precision, arithmetic, Pass::evaluation);
}

Margins measure_margins(const model::Graph& graph, const model::Weights& weights, const model::Batch& batch,
                        double cutoff, std::span<const double> scales) {
  const Arithmetic plain;
  Products<double> products(0);
  const std::vector<Array<double>> exact = from_weights<double>(weights);
  const Walk<double> walk(graph, exact, batch, products, {.training = true, .step = 0, .arithmetic = &plain});
  return walk.margins(cutoff, scales);
}

Evaluation differentiate(const model::Graph& graph, const model::Weights& weights, const model::Batch& batch,
                         Precision precision, const Arithmetic& arithmetic) {
  return evaluate(graph, weights, batch, precision, arithmetic, Pass::training);
}

}  // namespace dlbench::oracle
