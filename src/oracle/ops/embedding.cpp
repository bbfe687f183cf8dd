// embedding: the rows of W that the tokens name.
#include <algorithm>

#include "base/error.hpp"
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

// Where the row of the i-th token begins in W. Asserts a token of the vocabulary.
template <typename T>
std::size_t row_begin(const NodeView<T>& view, std::size_t i) {
  const Array<T>& weight = *view.parameters[0];
  const T token = view.inputs[0]->values[i];
  DLBENCH_ASSERT(token >= T{0} && token < static_cast<T>(weight.rows()), "a token outside the vocabulary");
  return static_cast<std::size_t>(token) * index_of(weight.row_size());
}

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  const Array<T>& tokens = *view.inputs[0];
  const Array<T>& weight = *view.parameters[0];
  const std::size_t features = index_of(weight.row_size());
  Array<T> output({tokens.rows(), tokens.shape[1], weight.row_size()});
  for (std::size_t i = 0; i < tokens.values.size(); ++i) {
    std::copy_n(weight.values.begin() + static_cast<std::ptrdiff_t>(row_begin(view, i)), features,
                output.values.begin() + static_cast<std::ptrdiff_t>(i * features));
  }
  return output;
}

// Tokens have no derivative; the walk never asks for that of the graph's input.
template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& /*output_gradient*/) {
  return {Array<T>(view.inputs[0]->shape)};
}

template <typename T>
std::vector<Array<T>> parameter_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  std::vector<Array<T>> gradients;
  gradients.emplace_back(view.parameters[0]->shape);
  const std::size_t features = index_of(gradients[0].row_size());
  for (std::size_t i = 0; i < view.inputs[0]->values.size(); ++i) {
    const std::size_t begin = row_begin(view, i);
    for (std::size_t j = 0; j < features; ++j) {
      gradients[0].values[begin + j] += output_gradient.values[i * features + j];
    }
  }
  return gradients;
}

}  // namespace

template <typename T>
Operator<T> embedding() {
  return {"embedding", forward<T>, input_gradients<T>, parameter_gradients<T>, nullptr};
}

template Operator<double> embedding();
template Operator<float> embedding();

}  // namespace dlbench::oracle::ops
