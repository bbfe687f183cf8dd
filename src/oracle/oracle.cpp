#include "oracle/oracle.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/walk.hpp"

namespace dlbench::oracle {
namespace {

constexpr std::size_t kept_margin_count = 1000;

// Not a number (a diverged network) has no distance and would break the order.
std::vector<double> smallest(std::vector<double> margins) {
  std::erase_if(margins, [](double margin) { return std::isnan(margin); });
  const std::size_t kept = std::min(margins.size(), kept_margin_count);
  std::partial_sort(margins.begin(), margins.begin() + static_cast<std::ptrdiff_t>(kept), margins.end());
  margins.resize(kept);
  return margins;
}

template <typename T>
Evaluation evaluate(const model::Graph& graph, const model::Weights& weights, const model::Batch& batch,
                    const Arithmetic& arithmetic, bool with_gradients) {
  Products<T> products(arithmetic.rounding.variation);
  std::vector<Array<T>> seen = from_weights<T>(weights);
  for (Array<T>& array : seen) {
    products.perturb(array);
  }
  Walk<T> walk(graph, seen, batch, products, arithmetic.ties_all);
  Evaluation result;
  result.logits = to_doubles(walk.logits().values);
  result.loss = walk.loss();
  if constexpr (is_judge<T>) {
    result.logits_scale = walk.logits_scale();
    Margins margins = walk.margins();
    result.relu_margins = smallest(std::move(margins.relu));
    result.pool_margins = smallest(std::move(margins.pool));
  }
  if (with_gradients) {
    Gradients<T> gradients = walk.backward(is_judge<T>);
    result.gradients = to_doubles(gradients.values);
    result.gradient_scales = std::move(gradients.scales);
  }
  return result;
}

}  // namespace

Evaluation infer(const model::Graph& graph, const model::Weights& weights, const model::Batch& batch,
                 Precision precision, const Arithmetic& arithmetic) {
  return precision == Precision::fp64 ? evaluate<double>(graph, weights, batch, arithmetic, false)
                                      : evaluate<float>(graph, weights, batch, arithmetic, false);
}

Evaluation differentiate(const model::Graph& graph, const model::Weights& weights, const model::Batch& batch,
                         Precision precision, const Arithmetic& arithmetic) {
  return precision == Precision::fp64 ? evaluate<double>(graph, weights, batch, arithmetic, true)
                                      : evaluate<float>(graph, weights, batch, arithmetic, true);
}

}  // namespace dlbench::oracle
