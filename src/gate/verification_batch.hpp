// The batches that a function and its steps are proved on: real samples, nudged off the points where rounding
// decides a relu or a maximum.
#pragma once

#include <cstdint>

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
};

struct VerificationBatch {
  model::Batch batch;
  std::int64_t margins = 0;  // relu and pool margins that rounding could cross
};

// Each four rows take the candidate with the fewest such margins; the first with none ends their search. Few
// rows at a time, because a full batch has some near tie under any noise.
[[nodiscard]] VerificationBatch choose_batch(const model::Graph& graph, const model::Weights& weights,
                                             const model::Batch& real, const Candidates& candidates);

// Replaces each batch of a training experiment by the best candidate at the weights that its step will meet.
// Step i takes the sub-streams first + i * count …
void choose_batches(Experiment& experiment, const Candidates& candidates);

}  // namespace dlbench::gate
