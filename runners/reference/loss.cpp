// softmax_cross_entropy: a handful of numbers for each row, so plain loops in double.
#include <cmath>

#include "ops.hpp"

namespace reference {
namespace {

// Loss of one row; its gradient, already divided by the number of rows, goes to `gradient`.
double score_row(const float* x, std::int64_t classes, std::int64_t target, std::int64_t rows,
                 float* gradient) {
  float largest = x[0];
  for (std::int64_t c = 1; c < classes; ++c) {
    largest = x[c] > largest ? x[c] : largest;
  }
  double sum = 0.0;
  for (std::int64_t c = 0; c < classes; ++c) {
    const double share = std::exp(static_cast<double>(x[c]) - largest);
    gradient[c] = static_cast<float>(share);
    sum += share;
  }
  const double scale = 1.0 / (sum * static_cast<double>(rows));
  const double target_share = std::exp(static_cast<double>(x[target]) - largest);
  for (std::int64_t c = 0; c < classes; ++c) {
    gradient[c] = static_cast<float>(gradient[c] * scale);
  }
  gradient[target] = static_cast<float>((target_share / sum - 1.0) / static_cast<double>(rows));
  return std::log(sum) + largest - static_cast<double>(x[target]);
}

}  // namespace

// The loss belongs to the backward pass: evaluation needs none, and training computes it at each step.
Place* lower_loss(Program& program, const dlbench::model::Node& node, const std::vector<Place*>& inputs) {
  Place* logits = program.canonical(inputs[0]);
  const std::int64_t rows = program.rows();
  const std::int64_t classes = logits->width();
  StepNumbers* numbers = &program.network().numbers();
  program.backward({{node.name + ".score", [=] {
                       double total = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : total) if (rows * classes > 4096)
                       for (std::int64_t r = 0; r < rows; ++r) {
                         total += score_row(logits->values->data() + r * classes, classes, numbers->target[r],
                                            rows, logits->gradient->data() + r * classes);
                       }
                       numbers->loss = total / static_cast<double>(rows);
                     }}});
  return logits;
}

}  // namespace reference
