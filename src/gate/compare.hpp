// How far two results of one experiment are apart, tensor by tensor.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gate/gate.hpp"

namespace dlbench::gate {

// The largest difference inside one tensor (or of one loss).
struct Difference {
  // Norm::largest: max |x - truth| / magnitude; Norm::euclidean: |x - truth| / magnitude with a Euclidean
  // norm. Infinite for a shape or value that is no number.
  double error = 0.0;
  std::size_t index = 0;  // of the element that is furthest off
  double expected = 0.0;  // its right value
  double seen = 0.0;
  double norm = 0.0;      // Euclidean, of all differences; not relative
  bool same_size = true;  // false: index and values mean nothing
};

struct Distance {
  std::vector<Difference> tensors;  // as judged_names
  std::vector<Difference> losses;   // per step; none for logits
};

// What is judged, in execution order: the logits, or every parameter.
[[nodiscard]] std::vector<std::string> judged_names(const Experiment& experiment);
// Logits: all batches in one tensor. Gradient and replay: (w0 - w1) / rate. Delta, and
// every statistic: wk - w0. w0 is the experiment's own.
[[nodiscard]] std::vector<oracle::Values> judged_tensors(const Experiment& experiment, const Result& result);

// `scales`: one round-off of the terms of each judged tensor.
[[nodiscard]] Distance measure_distance(const Experiment& experiment, const Result& truth,
                                        const std::vector<double>& scales, const Result& seen);
// From what is right: the expectation's truth, or for a replay what the runner's own mask makes right.
// Asserts that it is not about masks.
[[nodiscard]] Distance distance_from_truth(const Expectation& expectation, const Result& seen);
// The same for values that are at hand: for a truth that many results are compared with.
[[nodiscard]] Difference difference(const oracle::Values& truth, const oracle::Values& seen, double scale,
                                    Norm norm = Norm::largest);
// What an error is relative to: the size of the right values. Where that is below their own rounding, terms
// have cancelled and nothing is left to be relative to but the terms: the rounding ÷ round_off.
[[nodiscard]] double magnitude(const oracle::Values& truth, double scale, Norm norm);
// The size of a tensor whose elements are all of `scale`, which is one round-off of their terms.
[[nodiscard]] double own_rounding(std::size_t elements, double scale, Norm norm);

// The largest error ÷ limit over all tensors and losses of an expectation.
[[nodiscard]] double error_over_limit(const Expectation& expectation, const Distance& distance);
[[nodiscard]] double error_over_limit(const Expectation& expectation, const Result& seen);

// A sentence on the first tensor or loss beyond its limit, in execution order; empty: there is none.
[[nodiscard]] std::string first_difference(const Expectation& expectation, const Distance& distance);

}  // namespace dlbench::gate
