// softmax over the features of each sample, sums in double as in the loss.
#include <algorithm>
#include <cmath>

#include "ops.hpp"

namespace reference {
namespace {

void share_row(const float* x, float* y, std::int64_t width) {
  const float largest = *std::max_element(x, x + width);
  double sum = 0.0;
  for (std::int64_t i = 0; i < width; ++i) {
    y[i] = std::exp(x[i] - largest);
    sum += y[i];
  }
  const auto factor = static_cast<float>(1.0 / sum);
  for (std::int64_t i = 0; i < width; ++i) {
    y[i] *= factor;
  }
}

void gradient_row(const float* y, const float* dy, float* dx, std::int64_t width) {
  double mean = 0.0;
  for (std::int64_t i = 0; i < width; ++i) {
    mean += static_cast<double>(y[i]) * dy[i];
  }
  for (std::int64_t i = 0; i < width; ++i) {
    dx[i] = y[i] * static_cast<float>(dy[i] - mean);
  }
}

}  // namespace

Place* lower_softmax(Program& program, const dlbench::model::Node& node, const std::vector<Place*>& inputs) {
  const Place* in = program.canonical(inputs[0]);
  Place* out = program.add_place(node.output_shape, in->gradient != nullptr);
  const std::int64_t rows = program.rows();
  const std::int64_t width = in->width();
  program.forward(node.name + ".forward", [=] {
#pragma omp parallel for schedule(static) if (rows * width > 8192)
    for (std::int64_t r = 0; r < rows; ++r) {
      share_row(in->values->data() + r * width, out->values->data() + r * width, width);
    }
  });
  if (in->gradient != nullptr) {
    program.backward({{node.name + ".backward", [=] {
#pragma omp parallel for schedule(static) if (rows * width > 8192)
                         for (std::int64_t r = 0; r < rows; ++r) {
                           gradient_row(out->values->data() + r * width, out->gradient->data() + r * width,
                                        in->gradient->data() + r * width, width);
                         }
                       }}});
  }
  return out;
}

}  // namespace reference
