// binary_cross_entropy: the mean over the batch of ln(1 + exp(x)) − x target.
#include <algorithm>
#include <cmath>

#include "oracle/ops/ops.hpp"
#include "oracle/ops/sigmoid.hpp"

namespace dlbench::oracle::ops {
namespace {

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  std::vector<T> losses = view.inputs[0]->values;
  for (std::size_t row = 0; row < losses.size(); ++row) {
    const T x = losses[row];
    const T target = static_cast<T>(view.target[row]);
    // ln(1 + exp(x)) = max(x, 0) + ln(1 + exp(-|x|)), which cannot overflow.
    losses[row] = std::max(x, T{0}) - x * target + std::log1p(std::exp(-std::abs(x)));
  }
  Array<T> loss(model::Shape{});
  view.products.column_sums(losses.data(), static_cast<std::int64_t>(losses.size()), 1, loss.values.data());
  loss.values[0] /= static_cast<T>(losses.size());
  return loss;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  Array<T> gradient = *view.inputs[0];
  const T factor = output_gradient.values[0] / static_cast<T>(gradient.values.size());
  for (std::size_t row = 0; row < gradient.values.size(); ++row) {
    gradient.values[row] = factor * (sigmoid_of(gradient.values[row]) - static_cast<T>(view.target[row]));
  }
  return {std::move(gradient)};
}

}  // namespace

template <typename T>
Operator<T> binary_cross_entropy() {
  return {"binary_cross_entropy", forward<T>, input_gradients<T>, nullptr, nullptr};
}

template Operator<double> binary_cross_entropy();
template Operator<float> binary_cross_entropy();

}  // namespace dlbench::oracle::ops
