// The batch that the function and its gradients are proved on: real samples, nudged off the points where
// rounding decides a relu or a maximum.
#pragma once

#include <cstdint>

#include "model/graph.hpp"
#include "model/tensor.hpp"

namespace dlbench::gate {

// The first `rows` rows of `batch` (all of them if it has fewer).
[[nodiscard]] model::Batch first_rows(const model::Batch& batch, std::int64_t rows);

// `batch` plus uniform noise in [0, 0.02) on every element, from stream `verification`, sub-stream `number`.
[[nodiscard]] model::Batch with_noise(model::Batch batch, std::uint64_t seed, std::uint64_t number);

struct VerificationBatch {
  model::Batch batch;
  std::int64_t margins = 0;  // relu and pool margins that rounding could cross
};

// The candidate with the fewest such margins among sub-streams 0 … candidates - 1; stops at the first with
// none.
[[nodiscard]] VerificationBatch choose_batch(const model::Graph& graph, const model::Weights& weights,
                                             const model::Batch& real, std::uint64_t seed, int candidates);

}  // namespace dlbench::gate
