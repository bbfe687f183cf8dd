// global_avg_pool: the mean of each plane.
#include "base/error.hpp"
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

template <typename T>
std::int64_t plane_size(const NodeView<T>& view) {
  const model::Shape& shape = view.inputs[0]->shape;
  DLBENCH_ASSERT(shape.size() == 4, "global_avg_pool works on images");
  return shape[2] * shape[3];
}

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  const Array<T>& input = *view.inputs[0];
  const std::int64_t cells = plane_size(view);
  Array<T> output({input.rows(), input.shape[1], 1, 1});
  for (std::size_t plane = 0; plane < output.values.size(); ++plane) {
    view.products.column_sums(input.values.data() + plane * index_of(cells), cells, 1, &output.values[plane]);
    output.values[plane] /= static_cast<T>(cells);
  }
  return output;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  Array<T> gradient(view.inputs[0]->shape);
  const std::size_t cells = index_of(plane_size(view));
  for (std::size_t i = 0; i < gradient.values.size(); ++i) {
    gradient.values[i] = output_gradient.values[i / cells] / static_cast<T>(cells);
  }
  return {std::move(gradient)};
}

}  // namespace

template <typename T>
Operator<T> global_avg_pool() {
  return {"global_avg_pool", forward<T>, input_gradients<T>, nullptr, nullptr};
}

template Operator<double> global_avg_pool();
template Operator<float> global_avg_pool();

}  // namespace dlbench::oracle::ops
