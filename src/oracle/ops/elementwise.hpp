// Operators that treat every element alone: y = Value(x), and Gradient(x, g) = d loss / d x where d loss / d
// y = g.
#pragma once

#include <utility>
#include <vector>

#include "oracle/operators.hpp"

namespace dlbench::oracle::ops {

template <typename T, T (*Value)(T x)>
[[nodiscard]] Array<T> elementwise_forward(const NodeView<T>& view) {
  Array<T> output = *view.inputs[0];
  for (T& one : output.values) {
    one = Value(one);
  }
  return output;
}

template <typename T, T (*Gradient)(T x, T g)>
[[nodiscard]] std::vector<Array<T>> elementwise_gradients(const NodeView<T>& view,
                                                          const Array<T>& output_gradient) {
  Array<T> result = output_gradient;
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    result.values[i] = Gradient(view.inputs[0]->values[i], result.values[i]);
  }
  return {std::move(result)};
}

}  // namespace dlbench::oracle::ops
