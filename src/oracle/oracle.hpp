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
inline constexpr int oracle_version = 6;

enum class Precision { fp64, fp32 };

// How to round: variations of a single-precision evaluation that a correct framework could also show.
struct Rounding {
  std::uint64_t variation = 0;  // 0: plain. Others permute and split the inner dimension of matrix products,
                                // perturb weights by up to one ulp, switch FMA contraction on some of them.
  // Near ties whose derivative is taken the other way, the nearer the likelier: relu inputs nearer to zero,
  // and maxima nearer to the runner-up of their window, than this share of their tensor's largest magnitude.
  // 0: none is.
  double relu_margin = 0.0;
  double pool_margin = 0.0;

  friend bool operator==(const Rounding&, const Rounding&) = default;
};

// How dropout draws. The masks are a pure function of (run, step, node); two runs have nothing in common.
struct Dropping {
  std::uint64_t run = 0;
  bool never = false;          // no element is dropped
  bool swapped = false;        // the rate is the share that is kept
  bool in_evaluation = false;  // elements are dropped there too
  bool one_mask = false;       // the same mask in every step of every run
  // Instead of drawing: the factor of each element (0 or 1 / (1 - rate)) of the graph's only dropout node.
  // Empty: masks are drawn.
  std::vector<double> factors;

  friend bool operator==(const Dropping&, const Dropping&) = default;
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
  bool biased_running_variance = false;  // batch_norm: the running variance takes the biased one of the batch
  bool batch_statistics_always = false;  // batch_norm: evaluation uses the batch's own statistics too
  bool statistics_frozen = false;        // batch_norm: training does not change the running statistics
  bool double_bias = false;              // lstm: two biases are trained, so that their sum moves twice as far
  double forget_bias = 0.0;              // lstm: added to the sum of the forget gate
  bool stale_evaluation = false;         // evaluation after training reads the weights from before
  Dropping dropping;
  Rounding rounding;

  friend bool operator==(const Arithmetic&, const Arithmetic&) = default;
};

// A tensor in double, flattened in canonical order.
using Values = std::vector<double>;

struct Evaluation {
  Values logits;  // [rows, classes] or [rows, positions, classes]
  double loss = 0.0;
  std::vector<Values> gradients;  // per parameter, graph order
  // fp64 only, else 0 and empty. Largest sum of absolute terms inside each tensor (a product's |x| |W|ᵀ +
  // |b|, a gradient's Σ |x| |dy|): rounding errors are round-off × this.
  double logits_scale = 0.0;
  std::vector<double> gradient_scales;
};

// How far one value is from a point where a derivative jumps, relative to the largest magnitude of its
// tensor.
struct Margin {
  double distance = 0.0;
  std::int64_t row = 0;  // of the batch
  std::size_t node = 0;  // of the graph: the relu or pooling that it belongs to

  friend bool operator==(const Margin&, const Margin&) = default;
};

struct Margins {
  double cutoff = 0.0;           // only nearer ones are listed
  std::vector<Margin> relu{};    // inputs of relus from zero
  std::vector<Margin> pool{};    // maxima from the runner-up in their pooling window
  std::vector<double> scales{};  // per node the magnitude that its distances are relative to; 0: it has none
};

// All assert (base::Bug) that weights and batches fit the completed graph and that targets are classes.
// A diverged network gives NaN, never an error. Thread-safe.

// Evaluation mode forward (logits only; loss is computed too).
[[nodiscard]] Evaluation infer(const model::Graph& graph, const model::Weights& weights,
                               const model::Batch& batch, Precision precision,
                               const Arithmetic& arithmetic = {});
// Training mode, forward only, in double: what lies nearer to a jump than `cutoff`, in no order. `scales`:
// those of another batch of the same network (some rows of it, say); empty: this batch's own. Not a number (a
// diverged network) has no distance.
[[nodiscard]] Margins measure_margins(const model::Graph& graph, const model::Weights& weights,
                                      const model::Batch& batch, double cutoff,
                                      std::span<const double> scales = {});
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
  // Of the evaluated batch in evaluation mode after the last step, by the averages where the recipe has them;
  // empty without one. The scale as in Evaluation.
  Values logits;
  double logits_scale = 0.0;
};

// One step per batch, with rates[i]; optimizer state starts at zero. fp32 keeps weights and state in float.
// `evaluated`: a batch to look at afterwards; nullptr: none.
[[nodiscard]] Trajectory train(const model::Graph& graph, const model::Recipe& recipe,
                               const model::Weights& weights, std::span<const model::Batch> batches,
                               std::span<const double> rates, Precision precision,
                               const Arithmetic& arithmetic = {}, const model::Batch* evaluated = nullptr);

}  // namespace dlbench::oracle
