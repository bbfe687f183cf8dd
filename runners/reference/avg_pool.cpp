// avg_pool and global_avg_pool on NHWC pictures.
#include <algorithm>
#include <memory>

#include "ops.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;

// The cells of one window inside the picture and what their sum is multiplied with.
struct Area {
  std::int64_t top, bottom, left, right;  // ends are exclusive
  float factor;
};

struct Pool {
  std::int64_t rows;
  std::int64_t channels;
  std::int64_t in_height, in_width;
  std::vector<Area> areas;  // in the order of the output

  [[nodiscard]] std::int64_t in_count() const { return in_height * in_width * channels; }
  [[nodiscard]] std::int64_t out_count() const { return static_cast<std::int64_t>(areas.size()) * channels; }
};

// Calls visit(first float of the cell) for every cell of an area.
template <class Visit>
void for_each_cell(const Pool& pool, const Area& area, Visit visit) {
  for (std::int64_t y = area.top; y < area.bottom; ++y) {
    for (std::int64_t x = area.left; x < area.right; ++x) {
      visit((y * pool.in_width + x) * pool.channels);
    }
  }
}

void forward(const Pool& pool, const float* x, float* y) {
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < pool.rows; ++r) {
    const float* picture = x + r * pool.in_count();
    float* __restrict out = y + r * pool.out_count();
    for (const Area& area : pool.areas) {
      std::fill_n(out, pool.channels, 0.0F);
      for_each_cell(pool, area, [&](std::int64_t cell) {
        for (std::int64_t c = 0; c < pool.channels; ++c) {
          out[c] += picture[cell + c];
        }
      });
      for (std::int64_t c = 0; c < pool.channels; ++c) {
        out[c] *= area.factor;
      }
      out += pool.channels;
    }
  }
}

void backward(const Pool& pool, const float* dy, float* dx) {
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < pool.rows; ++r) {
    float* __restrict picture = dx + r * pool.in_count();
    const float* gradient = dy + r * pool.out_count();
    std::fill_n(picture, pool.in_count(), 0.0F);
    for (const Area& area : pool.areas) {
      for_each_cell(pool, area, [&](std::int64_t cell) {
        for (std::int64_t c = 0; c < pool.channels; ++c) {
          picture[cell + c] += area.factor * gradient[c];
        }
      });
      gradient += pool.channels;
    }
  }
}

// One axis of a window: [begin, end) inside the picture, and how many of its cells count.
struct Span {
  std::int64_t begin, end, counted;
};

Span span_of(const model::Node& node, std::int64_t extent, std::size_t axis, std::int64_t index) {
  const auto& pads = model::integers(node, "pads");
  const std::int64_t begin = index * model::integers(node, "stride")[axis] - pads[axis];
  const std::int64_t end = begin + model::integers(node, "kernel")[axis];
  Span span{std::max<std::int64_t>(begin, 0), std::min(end, extent), 0};
  span.counted = model::flag(node, "count_include_pad") ? std::min(end, extent + pads[axis + 2]) - begin
                                                        : span.end - span.begin;
  return span;
}

Pool pool_of(const model::Node& node, const Place& in, std::int64_t rows) {
  Pool pool{rows, in.shape[0], in.shape[1], in.shape[2], {}};
  for (std::int64_t row = 0; row < node.output_shape[1]; ++row) {
    const Span y = span_of(node, pool.in_height, 0, row);
    for (std::int64_t column = 0; column < node.output_shape[2]; ++column) {
      const Span x = span_of(node, pool.in_width, 1, column);
      pool.areas.push_back(
          {y.begin, y.end, x.begin, x.end, 1.0F / static_cast<float>(y.counted * x.counted)});
    }
  }
  return pool;
}

Place* lower_pool(Program& program, const model::Node& node, const Place* in, Pool pool) {
  Place* out = program.add_place(node.output_shape, in->gradient != nullptr);
  const auto shared = std::make_shared<const Pool>(std::move(pool));
  program.forward(node.name + ".forward", [=] { forward(*shared, in->values->data(), out->values->data()); });
  if (in->gradient != nullptr) {
    program.backward(
        {{node.name + ".backward", [=] { backward(*shared, out->gradient->data(), in->gradient->data()); }}});
  }
  return out;
}

}  // namespace

Place* lower_avg_pool(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  const Place* in = program.channels_last(inputs[0]);
  return lower_pool(program, node, in, pool_of(node, *in, program.rows()));
}

Place* lower_global_avg_pool(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  const Place* in = program.channels_last(inputs[0]);
  const auto cells = static_cast<float>(in->shape[1] * in->shape[2]);
  return lower_pool(program, node, in,
                    {program.rows(),
                     in->shape[0],
                     in->shape[1],
                     in->shape[2],
                     {{0, in->shape[1], 0, in->shape[2], 1.0F / cells}}});
}

}  // namespace reference
