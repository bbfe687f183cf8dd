// softmax: exp(x[i]) / Σ exp(x[j]) over each row.
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

// The largest is subtracted first, so that no exponential overflows.
template <typename T>
Array<T> forward(const NodeView<T>& view) {
  Array<T> output = *view.inputs[0];
  const std::size_t width = index_of(output.row_size());
  for (std::size_t begin = 0; begin < output.values.size(); begin += width) {
    const std::span<T> row(output.values.data() + begin, width);
    const T largest = *std::max_element(row.begin(), row.end());
    T sum{};
    for (T& value : row) {
      value = std::exp(value - largest);
    }
    view.products.column_sums(row.data(), static_cast<std::int64_t>(width), 1, &sum);
    for (T& value : row) {
      value /= sum;
    }
  }
  return output;
}

// dx[i] = y[i] (dy[i] − Σ y[j] dy[j])
template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  const Array<T> output = forward(view);
  Array<T> gradient = output_gradient;
  const std::int64_t width = output.row_size();
  for (std::size_t begin = 0; begin < output.values.size(); begin += index_of(width)) {
    const T* const y = output.values.data() + begin;
    T* const row = gradient.values.data() + begin;
    T mean{};
    view.products.multiply({y, 1, width, false}, {row, width, 1, false}, &mean);
    for (std::size_t i = 0; i < index_of(width); ++i) {
      row[i] = y[i] * (row[i] - mean);
    }
  }
  return {std::move(gradient)};
}

}  // namespace

template <typename T>
Operator<T> softmax() {
  return {"softmax", forward<T>, input_gradients<T>, nullptr, nullptr};
}

template Operator<double> softmax();
template Operator<float> softmax();

}  // namespace dlbench::oracle::ops
