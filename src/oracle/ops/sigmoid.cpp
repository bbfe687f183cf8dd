// sigmoid: 1 / (1 + exp(-x)).
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

// exp of a positive number could overflow where the result is just small.
template <typename T>
T sigmoid_of(T x) {
  if (x < T{0}) {
    const T e = std::exp(x);
    return e / (T{1} + e);
  }
  return T{1} / (T{1} + std::exp(-x));
}

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  Array<T> output = *view.inputs[0];
  for (T& value : output.values) {
    value = sigmoid_of(value);
  }
  return output;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  Array<T> gradient = output_gradient;
  for (std::size_t i = 0; i < gradient.values.size(); ++i) {
    const T y = sigmoid_of(view.inputs[0]->values[i]);
    gradient.values[i] *= y * (T{1} - y);
  }
  return {std::move(gradient)};
}

}  // namespace

template <typename T>
Operator<T> sigmoid() {
  return {"sigmoid", forward<T>, input_gradients<T>, nullptr, nullptr};
}

template Operator<double> sigmoid();
template Operator<float> sigmoid();

}  // namespace dlbench::oracle::ops
