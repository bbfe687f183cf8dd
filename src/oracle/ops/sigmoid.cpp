// sigmoid: 1 / (1 + exp(-x)).
#include "oracle/ops/sigmoid.hpp"

#include "oracle/ops/elementwise.hpp"
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

template <typename T>
T gradient(T x, T g) {
  const T y = sigmoid_of(x);
  return g * (y * (T{1} - y));
}

}  // namespace

template <typename T>
Operator<T> sigmoid() {
  return {"sigmoid", elementwise_forward<T, sigmoid_of<T>>, elementwise_gradients<T, gradient<T>>, nullptr,
          nullptr};
}

template Operator<double> sigmoid();
template Operator<float> sigmoid();

}  // namespace dlbench::oracle::ops
