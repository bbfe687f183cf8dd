// How a network is trained: optimizer, clipping, learning-rate policy, batch, initialiser.
// Formulas are those of docs/gate.md; a runner meets them, emulates them exactly, or declares a deviation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/graph.hpp"

namespace dlbench::model {

// v <- momentum * v + d;  w <- w - rate * v     (rate_outside)
// v <- momentum * v + rate * d;  w <- w - v     (rate_inside)
enum class SgdForm { rate_outside, rate_inside };

// d = g / (sqrt(s) + epsilon)  (outside)  or  d = g / sqrt(s + epsilon)  (inside)
enum class EpsilonPlace { outside, inside };

// An optimizer by name with the values of all its settings; which of them it has, their defaults and the
// formula are in its OptimizerSpec. The others keep what stands here and mean nothing.
struct Optimizer {
  std::string name = "sgd";
  SgdForm form = SgdForm::rate_outside;
  double momentum = 0.0;
  double weight_decay = 0.0;  // L2 coefficient; applied to weights, and to what the flags below allow
  bool decay_bias = true;
  bool decay_norm = true;  // scales and shifts of normalisations
  bool nesterov = false;
  double beta1 = 0.0;
  double beta2 = 0.0;
  double rho = 0.0;
  double epsilon = 0.0;
  EpsilonPlace epsilon_place = EpsilonPlace::outside;
  bool centered = false;
  double initial_accumulator = 0.0;
};

// What happens to the gradients before decay is added and the optimizer sees them.
// element: g <- min(max(g, -limit), limit).
// global_norm: g <- g * limit / max(n, limit), n the Euclidean norm of all parameters' gradients together.
enum class ClipBy { none, element, global_norm };
struct Clip {
  ClipBy by = ClipBy::none;
  double limit = 0.0;  // 0 without clipping
};

// What evaluation reads instead of the trained parameters w: after the update of step t (1, 2, …)
// a <- d a + (1 - d) w from a = w_0 on, d = decay or, with ramp, min(decay, (1 + t) / (10 + t)).
struct WeightEma {
  double decay = 0.0;  // 0: evaluation reads w itself
  bool ramp = false;
};
// d of step t (1, 2, …).
[[nodiscard]] double ema_decay(const WeightEma& ema, std::int64_t t);

// A rate policy by name with the values of all its settings, see RatePolicySpec.
struct RatePolicy {
  std::string policy = "fixed";
  double base = 0.01;
  double gamma = 1.0;
  std::int64_t every_steps = 0;
  std::vector<std::int64_t> at_steps = {};
  double power = 0.0;
  std::int64_t end_step = 0;
  double peak = 0.0;
  std::int64_t half_cycle_steps = 0;
};

// xavier_uniform_fan_in: U(-a, a), a = sqrt(3 / fan_in) (Caffe's "xavier" filler); biases, shifts and means
// 0, scales and variances 1.
struct Initialiser {
  std::string name = "xavier_uniform_fan_in";
  std::uint64_t seed = 1;
};

struct Recipe {
  Optimizer optimizer;
  RatePolicy rate;
  Initialiser initialiser;
  std::int64_t batch = 64;
  Clip clip;
  WeightEma weight_ema;
};

// Whether the optimizer's weight decay applies to parameters of this role.
[[nodiscard]] bool decays(ParameterRole role, const Optimizer& optimizer);

// Throws base::UserError naming the first value that has no meaning (negative rate, unknown policy, …).
void validate(const Recipe& recipe);

// The number that must be in force at `step` (0-based).
[[nodiscard]] double rate_at(const RatePolicy& policy, std::int64_t step);

// What a runner's list of optimizers must contain to train by this recipe: the optimizer's name, "nesterov",
// "clip=element", "clip=global_norm", "weight_ema".
[[nodiscard]] std::vector<std::string> required_optimizers(const Recipe& recipe);

// One line for people: the optimizer with all its settings, clipping, rate policy, averages.
[[nodiscard]] std::string to_text(const Recipe& recipe);

[[nodiscard]] const std::vector<std::string>& names_of(SgdForm);
[[nodiscard]] const std::vector<std::string>& names_of(EpsilonPlace);
[[nodiscard]] const std::vector<std::string>& names_of(ClipBy);

// Initial parameters in graph order; a pure function of (graph shapes, initialiser).
[[nodiscard]] Weights initial_weights(const Graph& graph, const Initialiser& initialiser);

}  // namespace dlbench::model
