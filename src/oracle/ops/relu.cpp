// relu: max(x, 0); its derivative at zero is 0.
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

// Written so that a NaN stays a NaN: a diverged network must not look healthy.
template <typename T>
Array<T> forward(const NodeView<T>& view) {
  Array<T> output = *view.inputs[0];
  for (T& value : output.values) {
    value = value < T{0} ? T{0} : value;
  }
  return output;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  Array<T> gradient = output_gradient;
  for (std::size_t i = 0; i < gradient.values.size(); ++i) {
    gradient.values[i] = view.inputs[0]->values[i] <= T{0} ? T{0} : gradient.values[i];
  }
  return {std::move(gradient)};
}

template <typename T>
void margins(const NodeView<T>& view, Margins& result) {
  const std::vector<T>& values = view.inputs[0]->values;
  const double largest = largest_magnitude(values);
  for (const T value : values) {
    result.relu.push_back(largest > 0.0 ? std::abs(static_cast<double>(value)) / largest : 0.0);
  }
}

}  // namespace

template <typename T>
Operator<T> relu() {
  return {"relu", forward<T>, input_gradients<T>, nullptr, margins<T>};
}

template Operator<double> relu();
template Operator<float> relu();

}  // namespace dlbench::oracle::ops
