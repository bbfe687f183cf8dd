// tanh, the hyperbolic tangent.
#include "oracle/ops/elementwise.hpp"
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

template <typename T>
T value(T x) {
  return std::tanh(x);
}

template <typename T>
T gradient(T x, T g) {
  const T y = value(x);
  return g * (T{1} - y * y);
}

}  // namespace

template <typename T>
Operator<T> tanh() {
  return {"tanh", elementwise_forward<T, value<T>>, elementwise_gradients<T, gradient<T>>, nullptr, nullptr};
}

template Operator<double> tanh();
template Operator<float> tanh();

}  // namespace dlbench::oracle::ops
