// lrn across the channels of each NHWC cell: oneDNN has only its plain loops for most shapes.
#include <algorithm>
#include <cmath>
#include <memory>

#include "ops.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;

struct Norm {
  std::int64_t cells;  // of the whole batch
  std::int64_t channels;
  std::int64_t reach;
  float alpha, beta, k;

  // Sum of values[channel - reach … channel + reach] that exist.
  [[nodiscard]] float around(const float* values, std::int64_t channel) const {
    const std::int64_t begin = std::max<std::int64_t>(0, channel - reach);
    const std::int64_t end = std::min(channels, channel + reach + 1);
    float sum = 0.0F;
    for (std::int64_t c = begin; c < end; ++c) {
      sum += values[c];
    }
    return sum;
  }
  // d^-beta; square roots where they do, because a power is many times dearer.
  [[nodiscard]] float inverse_power(float d) const {
    if (beta == 0.75F) {
      const float root = std::sqrt(d);
      return 1.0F / (root * std::sqrt(root));
    }
    return beta == 0.5F ? 1.0F / std::sqrt(d) : std::pow(d, -beta);
  }
};

// What both passes work on, each [cells, channels].
struct Rows {
  Buffer terms;  // of the sums under way
  Buffer scale;  // k + alpha * sum of squares, kept for the way back
};

void forward(const Norm& norm, const Rows& rows, const float* x, float* y) {
  float* terms = rows.terms.data();
  float* scale = rows.scale.data();
#pragma omp parallel for schedule(static)
  for (std::int64_t cell = 0; cell < norm.cells; ++cell) {
    const std::int64_t first = cell * norm.channels;
    for (std::int64_t i = first; i < first + norm.channels; ++i) {
      terms[i] = x[i] * x[i];
    }
    for (std::int64_t c = 0; c < norm.channels; ++c) {
      scale[first + c] = norm.k + norm.alpha * norm.around(terms + first, c);
      y[first + c] = x[first + c] * norm.inverse_power(scale[first + c]);
    }
  }
}

// What the forward pass read and wrote.
struct Pair {
  const float* x;
  const float* y;
};

void backward(const Norm& norm, const Rows& rows, Pair pass, const float* dy, float* dx) {
  float* terms = rows.terms.data();
  const float* scale = rows.scale.data();
  const float factor = 2.0F * norm.alpha * norm.beta;
#pragma omp parallel for schedule(static)
  for (std::int64_t cell = 0; cell < norm.cells; ++cell) {
    const std::int64_t first = cell * norm.channels;
    for (std::int64_t i = first; i < first + norm.channels; ++i) {
      terms[i] = dy[i] * pass.y[i] / scale[i];
    }
    for (std::int64_t c = 0; c < norm.channels; ++c) {
      const std::int64_t i = first + c;
      dx[i] = dy[i] * norm.inverse_power(scale[i]) - factor * pass.x[i] * norm.around(terms + first, c);
    }
  }
}

}  // namespace

Place* lower_lrn(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  const Place* in = program.channels_last(inputs[0]);
  Place* out = program.add_place(node.output_shape, in->gradient != nullptr);
  const Norm norm{program.rows() * in->shape[1] * in->shape[2],
                  in->shape[0],
                  model::integer(node, "size") / 2,
                  static_cast<float>(model::real(node, "alpha")),
                  static_cast<float>(model::real(node, "beta")),
                  static_cast<float>(model::real(node, "k"))};
  const auto count = static_cast<std::size_t>(program.rows() * in->width());
  const auto rows = std::make_shared<Rows>(Rows{Buffer(count), Buffer(count)});
  program.forward(node.name + ".forward",
                  [=] { forward(norm, *rows, in->values->data(), out->values->data()); });
  if (in->gradient != nullptr) {
    program.backward({{node.name + ".backward", [=] {
                         backward(norm, *rows, {in->values->data(), out->values->data()},
                                  out->gradient->data(), in->gradient->data());
                       }}});
  }
  return out;
}

}  // namespace reference
