// flatten: the same values in the same order, one row per sample.
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  Array<T> output = *view.inputs[0];
  output.shape = {view.inputs[0]->rows(), model::element_count(view.node.output_shape)};
  return output;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  Array<T> gradient = output_gradient;
  gradient.shape = view.inputs[0]->shape;
  return {std::move(gradient)};
}

}  // namespace

template <typename T>
Operator<T> flatten() {
  return {"flatten", forward<T>, input_gradients<T>, nullptr, nullptr};
}

template Operator<double> flatten();
template Operator<float> flatten();

}  // namespace dlbench::oracle::ops
