// max_pool on NHWC pictures with one byte per output for the winning cell: oneDNN 2.6's own is several times
// slower.
#include <algorithm>
#include <memory>

#include "ops.hpp"
#include "pool_kernels.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;
namespace sdk = dlbench::sdk;

struct Pool {
  std::int64_t rows;
  std::int64_t channels;
  std::int64_t in_height, in_width;
  std::int64_t out_height, out_width;
  std::int64_t kernel_height, kernel_width;
  std::int64_t stride_height, stride_width;
  std::int64_t pad_top, pad_left;

  // Windows that neither overlap nor leave cells between them: every cell is written by exactly one.
  [[nodiscard]] bool tiles() const {
    return kernel_height == stride_height && kernel_width == stride_width && pad_top == 0 && pad_left == 0 &&
           out_height * kernel_height == in_height && out_width * kernel_width == in_width;
  }
};

Window window_at(const Pool& pool, std::int64_t row, std::int64_t column) {
  Window window;
  const std::int64_t top = row * pool.stride_height - pool.pad_top;
  const std::int64_t left = column * pool.stride_width - pool.pad_left;
  for (std::int64_t m = 0; m < pool.kernel_height; ++m) {
    for (std::int64_t n = 0; n < pool.kernel_width; ++n) {
      const std::int64_t y = top + m;
      const std::int64_t x = left + n;
      if (y < 0 || y >= pool.in_height || x < 0 || x >= pool.in_width) {
        continue;
      }
      const auto slot = static_cast<std::size_t>(window.count++);
      window.offsets[slot] = (y * pool.in_width + x) * pool.channels;
      window.ids[slot] = static_cast<std::uint8_t>(m * pool.kernel_width + n);
    }
  }
  return window;
}

using Windows = std::shared_ptr<std::vector<Window>>;
using Winners = std::shared_ptr<std::vector<std::uint8_t>>;

Windows all_windows(const Pool& pool) {
  auto windows = std::make_shared<std::vector<Window>>();
  for (std::int64_t row = 0; row < pool.out_height; ++row) {
    for (std::int64_t column = 0; column < pool.out_width; ++column) {
      windows->push_back(window_at(pool, row, column));
    }
  }
  return windows;
}

void forward(const Pool& pool, const std::vector<Window>& windows, const float* x, float* y,
             std::uint8_t* winners) {
  const std::int64_t in_count = pool.in_height * pool.in_width * pool.channels;
  const std::int64_t out_count = pool.out_height * pool.out_width * pool.channels;
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < pool.rows; ++r) {
    pool_picture(windows, pool.channels, x + r * in_count, y + r * out_count, winners + r * out_count);
  }
}

// `relu`: the pooled values when a relu stands before the pooling, else null. A maximum is positive exactly
// where the cell that won it is, so the mask costs a pass over the small output instead of one over the large
// input.
void backward(const Pool& pool, const std::vector<Window>& windows, const float* dy, const float* relu,
              const std::uint8_t* winners, float* dx) {
  const std::int64_t in_count = pool.in_height * pool.in_width * pool.channels;
  const std::int64_t out_count = pool.out_height * pool.out_width * pool.channels;
  const bool tiles = pool.tiles();
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < pool.rows; ++r) {
    float* picture = dx + r * in_count;
    if (!tiles) {
      std::fill_n(picture, in_count, 0.0F);
    }
    unpool_picture(windows, pool.channels, tiles, dy + r * out_count,
                   relu == nullptr ? nullptr : relu + r * out_count, winners + r * out_count, picture);
  }
}

Pool pool_of(const model::Node& node, const Place& in, std::int64_t rows) {
  const auto& kernel = model::integers(node, "kernel");
  const auto& stride = model::integers(node, "stride");
  const auto& pads = model::integers(node, "pads");
  if (kernel[0] * kernel[1] > max_pool_cells) {
    throw sdk::Unsupported("max_pool with more than 255 cells");
  }
  return {rows,
          in.shape[0],
          in.shape[1],
          in.shape[2],
          node.output_shape[1],
          node.output_shape[2],
          kernel[0],
          kernel[1],
          stride[0],
          stride[1],
          pads[0],
          pads[1]};
}

}  // namespace

Place* lower_max_pool(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  Place* in = program.channels_last(inputs[0]);
  const Pool pool = pool_of(node, *in, program.rows());
  Place* out = program.add_place(node.output_shape, in->gradient != nullptr);
  const Windows windows = all_windows(pool);
  const auto winners =
      std::make_shared<std::vector<std::uint8_t>>(static_cast<std::size_t>(program.rows() * out->width()));
  program.forward(node.name + ".forward",
                  [=] { forward(pool, *windows, in->values->data(), out->values->data(), winners->data()); });
  if (in->gradient != nullptr) {
    in->masked_by_reader = in->has_relu;
    program.backward({{node.name + ".backward", [=] {
                         backward(pool, *windows, out->gradient->data(),
                                  in->has_relu ? out->values->data() : nullptr, winners->data(),
                                  in->gradient->data());
                       }}});
  }
  return out;
}

}  // namespace reference
