// The fp64 judge: the same graph and recipe in double (and, for the rounding envelope and as a test runner,
// float). Not a framework: it exists to say what the right numbers are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/graph.hpp"
#include "model/recipe.hpp"
#include "model/tensor.hpp"

namespace dlbench::oracle {

// Changes whenever any result could change; part of every cache key.
inline constexpr int oracle_version = 1;

enum class Precision { fp64, fp32 };

// How to round: variations of a single-precision evaluation that a correct framework could also show.
struct Rounding {
  std::uint64_t variation = 0;  // 0: plain. Others permute and split the inner dimension of matrix products,
                                // perturb weights by up to one ulp, switch FMA contraction on some of them.

  friend bool operator==(const Rounding&, const Rounding&) = default;
};

// Alternative formulas: declared deviations and faults that are not a mutation of the work.
struct Arithmetic {
  bool ties_all = false;   // max_pool gradient goes to every tied maximum
  double dampening = 0.0;  // v <- momentum * v + (1 - dampening) * g, from the second step on
  // Each layer's weights are updated before the input gradient through them is computed.
  bool weight_race = false;
  std::vector<std::size_t> racing_parameters;  // only these, where weight_race is set; empty: all
  bool rate_inside = false;                    // momentum form, overrides the recipe
  bool sum_over_batch = false;                 // gradients are sums over the batch, not means
  // adam: added to the uncorrected root; adadelta: outside the roots; adagrad: inside; rmsprop: the other
  // place
  bool epsilon_misplaced = false;
  bool bias_correction_missing = false;  // adam: m and s are used as they are
  Rounding rounding;

  friend bool operator==(const Arithmetic&, const Arithmetic&) = default;
};

// A tensor in double, flattened in canonical order.
using Values = std::vector<double>;

struct Evaluation {
  Values logits;  // [rows, classes]
  double loss = 0.0;
  std::vector<Values> gradients;  // per parameter, graph order
  // fp64 only, else 0 and empty. Largest sum of absolute terms inside each tensor (a product's |x| |W|ᵀ +
  // |b|, a gradient's Σ |x| |dy|): rounding errors are round-off × this.
  double logits_scale = 0.0;
  std::vector<double> gradient_scales;
  // fp64 only, else empty. Smallest distances of the batch from a non-smooth point, each relative to the
  // largest value of its tensor: relu inputs from zero, maxima from the runner-up in their pooling window.
  // Sorted ascending, at most 1000 kept.
  std::vector<double> relu_margins;
  std::vector<double> pool_margins;
};

// All three assert (base::Bug) that weights and batches fit the completed graph and that targets are classes.
// A diverged network gives NaN, never an error. Thread-safe.

// Evaluation mode forward (logits only; loss is computed too).
[[nodiscard]] Evaluation infer(const model::Graph& graph, const model::Weights& weights,
                               const model::Batch& batch, Precision precision,
                               const Arithmetic& arithmetic = {});
// Training mode forward and backward.
[[nodiscard]] Evaluation differentiate(const model::Graph& graph, const model::Weights& weights,
                                       const model::Batch& batch, Precision precision,
                                       const Arithmetic& arithmetic = {});

struct Trajectory {
  std::vector<double> losses;   // loss of step i before its update
  std::vector<Values> weights;  // after the last step
  // fp64 only, else empty. Per parameter, the sum of absolute terms of w_k - w_0: the largest |w_0| plus the
  // path of the optimizer when every gradient (and decay) element is as large as its sum of absolute terms.
  std::vector<double> delta_scales;
};

// One step per batch, with rates[i]; optimizer state starts at zero. fp32 keeps weights and state in float.
[[nodiscard]] Trajectory train(const model::Graph& graph, const model::Recipe& recipe,
                               const model::Weights& weights, std::span<const model::Batch> batches,
                               std::span<const double> rates, Precision precision,
                               const Arithmetic& arithmetic = {});

}  // namespace dlbench::oracle
