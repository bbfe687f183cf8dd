// relu: max(x, 0); its derivative at zero is 0.
#include "oracle/ops/elementwise.hpp"
#include "oracle/ops/near_ties.hpp"
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

// Written so that a NaN stays a NaN: a diverged network must not look healthy.
template <typename T>
T value(T x) {
  return x < T{0} ? T{0} : x;
}

template <typename T>
T gradient(T x, T g) {
  return x <= T{0} ? T{0} : g;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  const NearTies near_ties(view, view.arithmetic().rounding.relu_margin);
  if (!near_ties.any()) {
    return elementwise_gradients<T, gradient<T>>(view, output_gradient);
  }
  Array<T> result = output_gradient;
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const T x = view.inputs[0]->values[i];
    const T taken = near_ties.other_way(std::abs(static_cast<double>(x)), i) ? -x : x;
    result.values[i] = gradient(taken, result.values[i]);
  }
  return {std::move(result)};
}

template <typename T>
void margins(const NodeView<T>& view, double largest, Margins& result) {
  const std::vector<T>& values = view.inputs[0]->values;
  const std::int64_t row_size = view.inputs[0]->row_size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double distance = largest > 0.0 ? std::abs(static_cast<double>(values[i])) / largest : 0.0;
    if (distance < result.cutoff) {
      result.relu.push_back({distance, static_cast<std::int64_t>(i) / row_size, view.number});
    }
  }
}

}  // namespace

template <typename T>
Operator<T> relu() {
  return {"relu", elementwise_forward<T, value<T>>, input_gradients<T>, nullptr, margins<T>};
}

template Operator<double> relu();
template Operator<float> relu();

}  // namespace dlbench::oracle::ops
