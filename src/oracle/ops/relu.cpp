// relu: max(x, 0); its derivative at zero is 0.
#include "oracle/ops/elementwise.hpp"
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
  return {"relu", elementwise_forward<T, value<T>>, elementwise_gradients<T, gradient<T>>, nullptr,
          margins<T>};
}

template Operator<double> relu();
template Operator<float> relu();

}  // namespace dlbench::oracle::ops
