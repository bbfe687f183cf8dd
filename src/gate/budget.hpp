// How much oracle time one plan may cost, and what is given up beyond it. Counted in multiply-adds, elements
// and weights, never measured: a plan is a pure function of the work.
#pragma once

#include <cstdint>

#include "gate/gate.hpp"

namespace dlbench::gate {

struct Budget {
  std::int64_t rows = 0;         // of a verification batch
  int evaluations = 0;           // of the rounding envelope
  double factor = 0.0;           // from envelope to limit
  std::int64_t timed_steps = 0;  // at most; 0: one step at the timed batch is too much for the oracle
  int timed_candidates = 0;      // of which each of its batches is the best
  double seconds = 0.0;          // expected, rough
};

// Five minutes of one core per plan: 8, 4 or 2 samples and 32 evaluations, else 8, 4 or 2 samples and 8, else
// one sample. The timed batch has two minutes more, and beyond them fewer steps.
[[nodiscard]] Budget budget_of(const Work& work);

}  // namespace dlbench::gate
