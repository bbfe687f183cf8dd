// How a network is trained: optimizer, learning-rate policy, batch, epochs, initialiser.
// Formulas are those of docs/gate.md; a runner meets them, emulates them exactly, or declares a deviation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/graph.hpp"

namespace dlbench::model {

// v <- momentum * v + (g + weight_decay * w);  w <- w - rate * v     (rate_outside)
// v <- momentum * v + rate * (g + weight_decay * w);  w <- w - v     (rate_inside)
enum class SgdForm { rate_outside, rate_inside };

struct Optimizer {
  std::string name = "sgd";
  SgdForm form = SgdForm::rate_outside;
  double momentum = 0.0;
  double weight_decay = 0.0;  // L2 coefficient; applied to weights, and to biases when decay_bias
  bool decay_bias = true;
};

// fixed: base for every step. step: base * gamma^(step / every).
struct RatePolicy {
  std::string policy = "fixed";
  double base = 0.01;
  double gamma = 1.0;
  std::int64_t every_steps = 0;
};

// xavier_uniform_fan_in: U(-a, a), a = sqrt(3 / fan_in) (Caffe's "xavier" filler); biases 0.
struct Initialiser {
  std::string name = "xavier_uniform_fan_in";
  std::uint64_t seed = 1;
};

struct Recipe {
  Optimizer optimizer;
  RatePolicy rate;
  Initialiser initialiser;
  std::int64_t batch = 64;
};

// Throws base::UserError naming the first value that has no meaning (negative rate, unknown policy, …).
void validate(const Recipe& recipe);

// The number that must be in force at `step` (0-based).
[[nodiscard]] double rate_at(const RatePolicy& policy, std::int64_t step);

// Initial parameters in graph order; a pure function of (graph shapes, initialiser).
[[nodiscard]] Weights initial_weights(const Graph& graph, const Initialiser& initialiser);

}  // namespace dlbench::model
