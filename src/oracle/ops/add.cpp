// add: the sum of two values of one shape.
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  Array<T> output = *view.inputs[0];
  add_to(output, *view.inputs[1]);
  return output;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& /*view*/, const Array<T>& output_gradient) {
  return {output_gradient, output_gradient};
}

}  // namespace

template <typename T>
Operator<T> add() {
  return {"add", forward<T>, input_gradients<T>, nullptr, nullptr};
}

template Operator<double> add();
template Operator<float> add();

}  // namespace dlbench::oracle::ops
