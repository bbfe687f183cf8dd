// tanh, the hyperbolic tangent.
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  Array<T> output = *view.inputs[0];
  for (T& value : output.values) {
    value = std::tanh(value);
  }
  return output;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  Array<T> gradient = output_gradient;
  for (std::size_t i = 0; i < gradient.values.size(); ++i) {
    const T y = std::tanh(view.inputs[0]->values[i]);
    gradient.values[i] *= T{1} - y * y;
  }
  return {std::move(gradient)};
}

}  // namespace

template <typename T>
Operator<T> tanh() {
  return {"tanh", forward<T>, input_gradients<T>, nullptr, nullptr};
}

template Operator<double> tanh();
template Operator<float> tanh();

}  // namespace dlbench::oracle::ops
