// softmax_cross_entropy: the mean over the batch, and over its positions, of log(Σ exp(x)) − x[target],
// natural logarithm.
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

// Of one row of logits, taken after subtracting the largest so that no exponential overflows.
template <typename T>
struct RowTerms {
  T largest;
  T sum;  // Σ exp(x − largest), at least 1
};

template <typename T>
RowTerms<T> row_terms(std::span<const T> logits) {
  RowTerms<T> terms{logits[0], T{0}};
  for (const T logit : logits) {
    terms.largest = std::max(terms.largest, logit);
  }
  for (const T logit : logits) {
    terms.sum += std::exp(logit - terms.largest);
  }
  return terms;
}

template <typename T>
std::span<const T> row_of(const Array<T>& logits, std::size_t row) {
  const std::size_t classes = index_of(logits.shape.back());
  return {logits.values.data() + row * classes, classes};
}

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  const Array<T>& logits = *view.inputs[0];
  std::vector<T> losses(view.target.size());
  for (std::size_t row = 0; row < losses.size(); ++row) {
    const std::span<const T> values = row_of(logits, row);
    const RowTerms<T> terms = row_terms(values);
    losses[row] = std::log(terms.sum) - (values[index_of(view.target[row])] - terms.largest);
  }
  Array<T> loss(model::Shape{});
  view.products.column_sums(losses.data(), static_cast<std::int64_t>(losses.size()), 1, loss.values.data());
  loss.values[0] /= static_cast<T>(losses.size());
  return loss;
}

// (softmax − one_hot) / rows
template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  const Array<T>& logits = *view.inputs[0];
  Array<T> gradient(logits.shape);
  const std::size_t rows = view.target.size();
  const std::size_t classes = index_of(logits.shape.back());
  const T factor = output_gradient.values[0] / static_cast<T>(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::span<const T> values = row_of(logits, row);
    const RowTerms<T> terms = row_terms(values);
    for (std::size_t j = 0; j < classes; ++j) {
      const T hit = index_of(view.target[row]) == j ? T{1} : T{0};
      gradient.values[row * classes + j] = factor * (std::exp(values[j] - terms.largest) / terms.sum - hit);
    }
  }
  return {std::move(gradient)};
}

}  // namespace

template <typename T>
Operator<T> softmax_cross_entropy() {
  return {"softmax_cross_entropy", forward<T>, input_gradients<T>, nullptr, nullptr};
}

template Operator<double> softmax_cross_entropy();
template Operator<float> softmax_cross_entropy();

}  // namespace dlbench::oracle::ops
