// dense: y = x Wᵀ + b over the last extent, W [out, in].
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

template <typename T>
MatrixView<T> matrix(const Array<T>& array, bool transposed = false) {
  const std::int64_t columns = array.shape.back();
  return {array.values.data(), static_cast<std::int64_t>(array.values.size()) / columns, columns, transposed};
}

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  const Array<T>& weight = *view.parameters[0];
  model::Shape shape = view.inputs[0]->shape;
  shape.back() = weight.rows();
  Array<T> output(shape);
  view.products.multiply(matrix(*view.inputs[0]), matrix(weight, true), output.values.data());
  if (view.parameters.size() == 2) {
    const std::vector<T>& bias = view.parameters[1]->values;
    for (std::size_t i = 0; i < output.values.size(); ++i) {
      output.values[i] += bias[i % bias.size()];
    }
  }
  return output;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  Array<T> gradient(view.inputs[0]->shape);
  view.products.multiply(matrix(output_gradient), matrix(*view.parameters[0]), gradient.values.data());
  return {std::move(gradient)};
}

template <typename T>
std::vector<Array<T>> parameter_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  std::vector<Array<T>> gradients;
  gradients.emplace_back(view.parameters[0]->shape);
  view.products.multiply(matrix(output_gradient, true), matrix(*view.inputs[0]), gradients[0].values.data());
  if (view.parameters.size() == 2) {
    gradients.emplace_back(view.parameters[1]->shape);
    const MatrixView<T> terms = matrix(output_gradient);
    view.products.column_sums(terms.values, terms.rows, terms.columns, gradients[1].values.data());
  }
  return gradients;
}

}  // namespace

template <typename T>
Operator<T> dense() {
  return {"dense", forward<T>, input_gradients<T>, parameter_gradients<T>, nullptr};
}

template Operator<double> dense();
template Operator<float> dense();

}  // namespace dlbench::oracle::ops
