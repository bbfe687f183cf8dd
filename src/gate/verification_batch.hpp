// The batches that a function and its steps are proved on: real samples, nudged off the points where rounding
// decides a relu or a maximum.
#pragma once

#include <cstdint>
#include <span>

#include "gate/experiment.hpp"

namespace dlbench::gate {

// The first `rows` rows of `batch` (all of them if it has fewer).
[[nodiscard]] model::Batch first_rows(const model::Batch& batch, std::int64_t rows);

// `batch` plus uniform noise in [0, 0.02) on every element, from stream `verification`, sub-stream `number`.
[[nodiscard]] model::Batch with_noise(model::Batch batch, std::uint64_t seed, std::uint64_t number);

// Candidate i is the real batch with the noise of sub-stream first + i.
struct Candidates {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  int count = 1;
  // Whether flat background (zeros) stays, so that maxima tie: in the whole picture, then in ever smaller
  // windows of it, `candidates_per_window` of each. Behind one layer of weights ties are wanted then: an
  // empty patch gives the bias alone, in every arithmetic. Behind more layers equal patches hold numbers, and
  // a framework may round equal sums apart: such ties are near ones.
  bool keeps_background = false;
};
inline constexpr int candidates_per_window = 4;

// `batch` with that noise on every element but the zeros of one window of each picture, at a place of its
// own; `window` 0 is the whole picture, each next one has half the height and half the width.
[[nodiscard]] model::Batch with_noise_around(model::Batch batch, std::uint64_t seed, std::uint64_t number,
                                             int window);

struct VerificationBatch {
  model::Batch batch;
  std::int64_t margins = 0;  // near ties that are left
};

// Each row takes the candidate whose near ties could do least; the first without any ends its search. Row by
// row, because a whole batch has some near tie under any noise; but where batch statistics join the samples,
// what one row does depends on all, and they take one candidate together. Near is what is near beside the
// largest value of the whole real batch: so is the rounding of a framework, which computes all rows at once.
[[nodiscard]] VerificationBatch choose_batch(const model::Graph& graph, const model::Weights& weights,
                                             const model::Batch& real, const Candidates& candidates);
// The same at any of several weights, at least one: near ties are counted at each.
[[nodiscard]] VerificationBatch choose_batch(const model::Graph& graph, std::span<const model::Weights> any,
                                             const model::Batch& real, const Candidates& candidates);

// Replaces each batch of a training experiment by the best candidate at the weights that its step will meet,
// be it trained by the recipe's formulas or by a deviation's, and says in the experiment whether near ties
// are left. Step i takes the sub-streams first + i * count …
void choose_batches(Experiment& experiment, const Candidates& candidates);

}  // namespace dlbench::gate
