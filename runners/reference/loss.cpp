// The losses. softmax_cross_entropy: rows of a few classes in plain loops, in double; of many, such as the
// words of a language, with oneDNN's vectorised softmax, which no compiler has.
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

// From this many classes on; below, the few exponentials of a row are no work.
constexpr std::int64_t many_classes = 64;

// The same for a row whose gradient holds its softmax, as floats.
double finish_row(const float* __restrict x, std::int64_t classes, std::int64_t target, std::int64_t rows,
                  float* __restrict gradient) {
  const float scale = 1.0F / static_cast<float>(rows);
  const float target_share = gradient[target];
  float largest = x[0];
  float largest_share = gradient[0];
#pragma omp simd reduction(max : largest, largest_share)
  for (std::int64_t c = 0; c < classes; ++c) {
    largest = x[c] > largest ? x[c] : largest;
    largest_share = gradient[c] > largest_share ? gradient[c] : largest_share;
    gradient[c] *= scale;
  }
  gradient[target] = (target_share - 1.0F) * scale;
  // The largest share is 1 / the sum of the exponentials; the target's may be too small for a float.
  return static_cast<double>(largest) - static_cast<double>(x[target]) -
         std::log(static_cast<double>(largest_share));
}

// Leaves the softmax of each row of logits in its gradient.
Task make_shares(const std::string& name, const Place* logits, std::int64_t rows, std::int64_t classes) {
  const dnnl::memory::desc desc({rows, classes}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::nc);
  const dnnl::softmax_forward::desc wanted(dnnl::prop_kind::forward_inference, desc, 1);
  const auto chosen =
      require_fast(dnnl::softmax_forward::primitive_desc(wanted, engine()), "softmax_cross_entropy " + name);
  const dnnl::memory from(desc, engine(), logits->values->data());
  const dnnl::memory to(desc, engine(), logits->gradient->data());
  const auto call = std::make_shared<Call>(
      dnnl::softmax_forward(chosen),
      std::vector<std::pair<int, dnnl::memory>>{{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
  return {name + ".shares", [call] { call->run(); }};
}

// Mean loss of all rows; `score` returns that of one row and writes its gradient.
Task make_scores(Program& program, const std::string& name, const Place* logits, std::int64_t rows,
                 std::int64_t classes, decltype(&score_row) score) {
  StepNumbers* numbers = &program.network().numbers();
  return {name + ".score", [=] {
            double total = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : total) if (rows * classes > 4096)
            for (std::int64_t r = 0; r < rows; ++r) {
              total += score(logits->values->data() + r * classes, classes, numbers->target[r], rows,
                             logits->gradient->data() + r * classes);
            }
            numbers->loss = total / static_cast<double>(rows);
          }};
}

// ln(1 + exp(x)) - x target, without an exponential that could overflow.
double score_logit(const float* logit, std::int64_t /*classes*/, std::int64_t target, std::int64_t rows,
                   float* gradient) {
  const double x = static_cast<double>(*logit);
  const double small = std::exp(-std::fabs(x));
  const double share = (x < 0.0 ? small : 1.0) / (1.0 + small);
  *gradient = static_cast<float>((share - static_cast<double>(target)) / static_cast<double>(rows));
  return std::fmax(x, 0.0) - x * static_cast<double>(target) + std::log1p(small);
}

}  // namespace

// A loss belongs to the backward pass: evaluation needs none, and training computes it at each step.
Place* lower_loss(Program& program, const dlbench::model::Node& node, const std::vector<Place*>& inputs) {
  Place* logits = program.canonical(inputs[0]);
  if (!program.trains()) {
    return logits;
  }
  const std::int64_t classes = logits->shape.back();
  const std::int64_t rows = program.rows() * logits->width() / classes;
  if (classes < many_classes) {
    program.backward({make_scores(program, node.name, logits, rows, classes, score_row)});
  } else {
    program.backward({make_shares(node.name, logits, rows, classes),
                      make_scores(program, node.name, logits, rows, classes, finish_row)});
  }
  return logits;
}

Place* lower_binary_cross_entropy(Program& program, const dlbench::model::Node& node,
                                  const std::vector<Place*>& inputs) {
  Place* logits = program.canonical(inputs[0]);
  program.backward({make_scores(program, node.name, logits, program.rows(), 1, score_logit)});
  return logits;
}

}  // namespace reference
