// sigmoid: 1 / (1 + exp(-x)).
#include "oracle/ops/elementwise.hpp"
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

// exp of a positive number could overflow where the result is just small.
template <typename T>
T value(T x) {
  if (x < T{0}) {
    const T e = std::exp(x);
    return e / (T{1} + e);
  }
  return T{1} / (T{1} + std::exp(-x));
}

template <typename T>
T gradient(T x, T g) {
  const T y = value(x);
  return g * (y * (T{1} - y));
}

}  // namespace

template <typename T>
Operator<T> sigmoid() {
  return {"sigmoid", elementwise_forward<T, value<T>>, elementwise_gradients<T, gradient<T>>, nullptr,
          nullptr};
}

template Operator<double> sigmoid();
template Operator<float> sigmoid();

}  // namespace dlbench::oracle::ops
