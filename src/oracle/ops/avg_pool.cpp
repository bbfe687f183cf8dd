// avg_pool: the divisor counts cells inside the padded input, or only those inside the input.
#include "oracle/ops/ops.hpp"
#include "oracle/ops/window.hpp"

namespace dlbench::oracle::ops {
namespace {

template <typename T>
T divisor(const NodeView<T>& view, const Window& window) {
  return static_cast<T>(model::flag(view.node, "count_include_pad") ? window.padded_cells : window.cells());
}

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  const model::Shape& extents = view.node.output_shape;
  Array<T> output({view.inputs[0]->rows(), extents[0], extents[1], extents[2]});
  const std::vector<T>& values = view.inputs[0]->values;
  std::vector<T> cells;
  for_each_window(view, [&](const Window& window) {
    cells.clear();
    window.for_each_cell([&](std::size_t cell) { cells.push_back(values[cell]); });
    T& sum = output.values[window.output];
    view.products.column_sums(cells.data(), static_cast<std::int64_t>(cells.size()), 1, &sum);
    sum /= divisor(view, window);
  });
  return output;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  Array<T> gradient(view.inputs[0]->shape);
  for_each_window(view, [&](const Window& window) {
    const T share = output_gradient.values[window.output] / divisor(view, window);
    window.for_each_cell([&](std::size_t cell) { gradient.values[cell] += share; });
  });
  return {std::move(gradient)};
}

}  // namespace

template <typename T>
Operator<T> avg_pool() {
  return {"avg_pool", forward<T>, input_gradients<T>, nullptr, nullptr};
}

template Operator<double> avg_pool();
template Operator<float> avg_pool();

}  // namespace dlbench::oracle::ops
