// conv_table: one plane at a time, because hardly two output channels read the same input.
#include <algorithm>

#include "base/error.hpp"
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

struct Geometry {
  std::int64_t channels, height, width;
  std::int64_t outputs, out_height, out_width;
  std::int64_t kernel_height, kernel_width, stride_y, stride_x;
  std::int64_t readings;  // input channels of one output channel

  [[nodiscard]] std::int64_t positions() const { return out_height * out_width; }
  [[nodiscard]] std::int64_t cells() const { return kernel_height * kernel_width; }
  [[nodiscard]] std::int64_t patch() const { return readings * cells(); }
};

template <typename T>
Geometry geometry_of(const NodeView<T>& view) {
  const model::Shape& in = view.inputs[0]->shape;
  const model::Shape& out = view.node.output_shape;
  const model::Shape& weight = view.parameters[0]->shape;
  const std::vector<std::int64_t>& stride = model::integers(view.node, "stride");
  DLBENCH_ASSERT(in.size() == 4 && out.size() == 3, "conv_table works on images");
  return {in[1], in[2], in[3], out[0], out[1], out[2], weight[2], weight[3], stride[0], stride[1], weight[1]};
}

// Calls visit(row cell, image cell) for the patches of one output channel of one image: row cells index a
// [positions, patch] matrix, image cells the whole input array.
template <typename T, typename Visit>
void for_each_cell(const NodeView<T>& view, const Geometry& g, std::int64_t image, std::int64_t output,
                   Visit visit) {
  const std::vector<std::int64_t>& table = model::integers(view.node, "table");
  std::int64_t row_cell = 0;
  for (std::int64_t position = 0; position < g.positions(); ++position) {
    const std::int64_t top = position / g.out_width * g.stride_y;
    const std::int64_t left = position % g.out_width * g.stride_x;
    for (std::int64_t r = 0; r < g.readings; ++r) {
      const std::int64_t plane = image * g.channels + table[index_of(output * g.readings + r)];
      for (std::int64_t cell = 0; cell < g.cells(); ++cell) {
        const std::int64_t y = top + cell / g.kernel_width;
        const std::int64_t x = left + cell % g.kernel_width;
        visit(index_of(row_cell++), index_of((plane * g.height + y) * g.width + x));
      }
    }
  }
}

template <typename T>
std::vector<T> patches(const NodeView<T>& view, const Geometry& g, std::int64_t image, std::int64_t output) {
  std::vector<T> rows(index_of(g.positions() * g.patch()));
  const std::vector<T>& values = view.inputs[0]->values;
  for_each_cell(view, g, image, output, [&](std::size_t row, std::size_t cell) { rows[row] = values[cell]; });
  return rows;
}

// Calls visit(image, output channel, first cell of its plane in the output).
template <typename Visit>
void for_each_plane(const Geometry& g, std::int64_t images, Visit visit) {
  for (std::int64_t image = 0; image < images; ++image) {
    for (std::int64_t output = 0; output < g.outputs; ++output) {
      visit(image, output, (image * g.outputs + output) * g.positions());
    }
  }
}

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  const Geometry g = geometry_of(view);
  Array<T> result({view.inputs[0]->rows(), g.outputs, g.out_height, g.out_width});
  const T* const weight = view.parameters[0]->values.data();
  for_each_plane(g, result.rows(), [&](std::int64_t image, std::int64_t output, std::int64_t first) {
    const std::vector<T> rows = patches(view, g, image, output);
    T* const plane = result.values.data() + first;
    view.products.multiply({rows.data(), g.positions(), g.patch(), false},
                           {weight + output * g.patch(), g.patch(), 1, false}, plane);
    const T bias = view.parameters[1]->values[index_of(output)];
    std::for_each(plane, plane + g.positions(), [bias](T& value) { value += bias; });
  });
  return result;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  const Geometry g = geometry_of(view);
  Array<T> gradient(view.inputs[0]->shape);
  const T* const weight = view.parameters[0]->values.data();
  for_each_plane(g, gradient.rows(), [&](std::int64_t image, std::int64_t output, std::int64_t first) {
    for_each_cell(view, g, image, output, [&](std::size_t row, std::size_t cell) {
      const auto at = static_cast<std::int64_t>(row);
      gradient.values[cell] += weight[output * g.patch() + at % g.patch()] *
                               output_gradient.values[index_of(first + at / g.patch())];
    });
  });
  return {std::move(gradient)};
}

template <typename T>
std::vector<Array<T>> parameter_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  const Geometry g = geometry_of(view);
  std::vector<Array<T>> gradients;
  gradients.emplace_back(view.parameters[0]->shape);
  gradients.emplace_back(view.parameters[1]->shape);
  for_each_plane(g, output_gradient.rows(), [&](std::int64_t image, std::int64_t output, std::int64_t first) {
    const std::vector<T> rows = patches(view, g, image, output);
    const T* const plane = output_gradient.values.data() + first;
    view.products.multiply({plane, 1, g.positions(), false}, {rows.data(), g.positions(), g.patch(), false},
                           gradients[0].values.data() + output * g.patch(), Store::add);
    view.products.column_sums(plane, g.positions(), 1, &gradients[1].values[index_of(output)], Store::add);
  });
  return gradients;
}

}  // namespace

template <typename T>
Operator<T> conv_table() {
  return {"conv_table", forward<T>, input_gradients<T>, parameter_gradients<T>, nullptr};
}

template Operator<double> conv_table();
template Operator<float> conv_table();

}  // namespace dlbench::oracle::ops
