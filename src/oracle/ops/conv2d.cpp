// conv2d: each output position becomes one row of input cells, so that all three passes are matrix products.
#include <algorithm>

#include "base/error.hpp"
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

// Bounds the memory of the rows: 2^22 doubles are 32 MiB.
constexpr std::int64_t largest_row_matrix = std::int64_t{1} << 22;

struct Geometry {
  std::int64_t channels, height, width;         // of the input
  std::int64_t outputs, out_height, out_width;  // of the output
  std::int64_t kernel_height, kernel_width, stride_y, stride_x, pad_top, pad_left, dilation_y, dilation_x,
      groups;

  [[nodiscard]] std::int64_t group_channels() const { return channels / groups; }
  [[nodiscard]] std::int64_t group_outputs() const { return outputs / groups; }
  [[nodiscard]] std::int64_t positions() const { return out_height * out_width; }
  [[nodiscard]] std::int64_t patch() const { return group_channels() * kernel_height * kernel_width; }
};

// One group of some consecutive images.
struct Part {
  std::int64_t first_image, images, group;
};

template <typename T>
Geometry geometry_of(const NodeView<T>& view) {
  const model::Shape& in = view.inputs[0]->shape;
  const model::Shape& out = view.node.output_shape;
  const std::vector<std::int64_t>& kernel = model::integers(view.node, "kernel");
  const std::vector<std::int64_t>& stride = model::integers(view.node, "stride");
  const std::vector<std::int64_t>& pads = model::integers(view.node, "pads");
  const std::vector<std::int64_t>& dilation = model::integers(view.node, "dilation");
  DLBENCH_ASSERT(in.size() == 4 && out.size() == 3, "conv2d works on images");
  return {in[1],   in[2],     in[3],       out[0],      out[1],
          out[2],  kernel[0], kernel[1],   stride[0],   stride[1],
          pads[0], pads[1],   dilation[0], dilation[1], model::integer(view.node, "groups")};
}

template <typename Visit>
void for_each_part(const Geometry& g, std::int64_t batch, Visit visit) {
  const std::int64_t image_rows = std::max<std::int64_t>(1, g.positions() * g.patch());
  const std::int64_t images = std::max<std::int64_t>(1, largest_row_matrix / image_rows);
  for (std::int64_t first = 0; first < batch; first += images) {
    for (std::int64_t group = 0; group < g.groups; ++group) {
      visit(Part{first, std::min(images, batch - first), group});
    }
  }
}

// Calls visit(row cell, image cell) for every kernel cell of every output position that lies inside the
// input; row cells index a [images × positions, patch] matrix, image cells the whole input array.
// The cells of one line of the kernel that lie inside the image, from `begin` to before `end`.
struct Inside {
  std::int64_t begin, end;
};

Inside inside(const Geometry& g, std::int64_t left) {
  const std::int64_t before = left < 0 ? (-left + g.dilation_x - 1) / g.dilation_x : 0;
  const std::int64_t room = g.width - left;  // cells of the image from the first one on
  const std::int64_t fitting = room <= 0 ? 0 : (room + g.dilation_x - 1) / g.dilation_x;
  return {before, std::min(fitting, g.kernel_width)};
}

template <typename Visit>
void for_each_cell(const Geometry& g, const Part& part, Visit visit) {
  std::int64_t row_cell = 0;
  for (std::int64_t n = 0; n < part.images; ++n) {
    const std::int64_t plane = (part.first_image + n) * g.channels + part.group * g.group_channels();
    for (std::int64_t position = 0; position < g.positions(); ++position) {
      const std::int64_t top = position / g.out_width * g.stride_y - g.pad_top;
      const std::int64_t left = position % g.out_width * g.stride_x - g.pad_left;
      const Inside columns = inside(g, left);
      for (std::int64_t c = 0; c < g.group_channels(); ++c) {
        for (std::int64_t ky = 0; ky < g.kernel_height; ++ky, row_cell += g.kernel_width) {
          const std::int64_t y = top + ky * g.dilation_y;
          if (y < 0 || y >= g.height) {
            continue;
          }
          const std::int64_t first = ((plane + c) * g.height + y) * g.width + left;
          for (std::int64_t kx = columns.begin; kx < columns.end; ++kx) {
            visit(index_of(row_cell + kx), index_of(first + kx * g.dilation_x));
          }
        }
      }
    }
  }
}

template <typename T>
std::vector<T> input_rows(const Geometry& g, const Part& part, const Array<T>& input) {
  std::vector<T> rows(index_of(part.images * g.positions() * g.patch()));
  for_each_cell(g, part, [&](std::size_t row, std::size_t cell) { rows[row] = input.values[cell]; });
  return rows;
}

// visit(row cell, output cell) for a [images × positions, outputs of the group] matrix and the output array.
template <typename Visit>
void for_each_output(const Geometry& g, const Part& part, Visit visit) {
  for (std::int64_t n = 0; n < part.images; ++n) {
    for (std::int64_t o = 0; o < g.group_outputs(); ++o) {
      const std::int64_t plane = (part.first_image + n) * g.outputs + part.group * g.group_outputs() + o;
      for (std::int64_t position = 0; position < g.positions(); ++position) {
        visit(index_of((n * g.positions() + position) * g.group_outputs() + o),
              index_of(plane * g.positions() + position));
      }
    }
  }
}

template <typename T>
std::vector<T> gradient_rows(const Geometry& g, const Part& part, const Array<T>& output_gradient) {
  std::vector<T> rows(index_of(part.images * g.positions() * g.group_outputs()));
  for_each_output(g, part,
                  [&](std::size_t row, std::size_t cell) { rows[row] = output_gradient.values[cell]; });
  return rows;
}

template <typename T>
MatrixView<T> group_weights(const Geometry& g, const Part& part, const Array<T>& weight) {
  return {weight.values.data() + part.group * g.group_outputs() * g.patch(), g.group_outputs(), g.patch(),
          false};
}

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  const Geometry g = geometry_of(view);
  const std::int64_t batch = view.inputs[0]->rows();
  Array<T> output({batch, g.outputs, g.out_height, g.out_width});
  for_each_part(g, batch, [&](const Part& part) {
    const std::int64_t height = part.images * g.positions();
    const std::vector<T> rows = input_rows(g, part, *view.inputs[0]);
    MatrixView<T> weights = group_weights(g, part, *view.parameters[0]);
    weights.transposed = true;
    std::vector<T> product(index_of(height * g.group_outputs()));
    view.products.multiply({rows.data(), height, g.patch(), false}, weights, product.data());
    for_each_output(g, part, [&](std::size_t row, std::size_t cell) { output.values[cell] = product[row]; });
  });
  if (view.parameters.size() == 2) {
    const std::vector<T>& bias = view.parameters[1]->values;
    for (std::size_t i = 0; i < output.values.size(); ++i) {
      output.values[i] += bias[i / index_of(g.positions()) % bias.size()];
    }
  }
  return output;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  const Geometry g = geometry_of(view);
  Array<T> gradient(view.inputs[0]->shape);
  for_each_part(g, gradient.rows(), [&](const Part& part) {
    const std::int64_t height = part.images * g.positions();
    const std::vector<T> rows = gradient_rows(g, part, output_gradient);
    std::vector<T> product(index_of(height * g.patch()));
    view.products.multiply({rows.data(), height, g.group_outputs(), false},
                           group_weights(g, part, *view.parameters[0]), product.data());
    for_each_cell(g, part, [&](std::size_t row, std::size_t cell) { gradient.values[cell] += product[row]; });
  });
  return {std::move(gradient)};
}

template <typename T>
std::vector<Array<T>> parameter_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  const Geometry g = geometry_of(view);
  std::vector<Array<T>> gradients;
  gradients.reserve(view.parameters.size());
  for (const Array<T>* const parameter : view.parameters) {
    gradients.emplace_back(parameter->shape);
  }
  for_each_part(g, view.inputs[0]->rows(), [&](const Part& part) {
    const std::int64_t height = part.images * g.positions();
    const std::vector<T> rows = input_rows(g, part, *view.inputs[0]);
    const std::vector<T> outputs = gradient_rows(g, part, output_gradient);
    const std::int64_t first_output = part.group * g.group_outputs();
    view.products.multiply({outputs.data(), height, g.group_outputs(), true},
                           {rows.data(), height, g.patch(), false},
                           gradients[0].values.data() + first_output * g.patch(), Store::add);
    if (gradients.size() == 2) {
      view.products.column_sums(outputs.data(), height, g.group_outputs(),
                                gradients[1].values.data() + first_output, Store::add);
    }
  });
  return gradients;
}

}  // namespace

template <typename T>
Operator<T> conv2d() {
  return {"conv2d", forward<T>, input_gradients<T>, parameter_gradients<T>, nullptr};
}

template Operator<double> conv2d();
template Operator<float> conv2d();

}  // namespace dlbench::oracle::ops
