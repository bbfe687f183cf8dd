// concat: inputs one after the other along the first extent behind the batch.
#include <algorithm>

#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

// Calls visit(input, its cell, output cell, length) for each run of cells that stay together.
template <typename T, typename Visit>
void for_each_run(const NodeView<T>& view, Visit visit) {
  const std::int64_t rows = view.inputs[0]->rows();
  std::size_t output = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < view.inputs.size(); ++i) {
      const std::int64_t length = view.inputs[i]->row_size();
      visit(i, index_of(row * length), output, index_of(length));
      output += index_of(length);
    }
  }
}

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  model::Shape shape = view.node.output_shape;
  shape.insert(shape.begin(), view.inputs[0]->rows());
  Array<T> output(std::move(shape));
  for_each_run(view, [&](std::size_t input, std::size_t from, std::size_t to, std::size_t length) {
    std::copy_n(view.inputs[input]->values.data() + from, length, output.values.data() + to);
  });
  return output;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  std::vector<Array<T>> gradients;
  gradients.reserve(view.inputs.size());
  for (const Array<T>* const input : view.inputs) {
    gradients.emplace_back(input->shape);
  }
  for_each_run(view, [&](std::size_t input, std::size_t to, std::size_t from, std::size_t length) {
    std::copy_n(output_gradient.values.data() + from, length, gradients[input].values.data() + to);
  });
  return gradients;
}

}  // namespace

template <typename T>
Operator<T> concat() {
  return {"concat", forward<T>, input_gradients<T>, nullptr, nullptr};
}

template Operator<double> concat();
template Operator<float> concat();

}  // namespace dlbench::oracle::ops
