// How much oracle time one plan may cost, and what is given up beyond it. Counted in multiply-adds, never
// measured: a plan is a pure function of the work.
#pragma once

#include <cstdint>

#include "gate/gate.hpp"

namespace dlbench::gate {

struct Budget {
  std::int64_t rows = 0;     // of a verification batch
  int evaluations = 0;       // of the rounding envelope
  double factor = 0.0;       // from envelope to limit
  bool timed_batch = false;  // false: k steps at the timed batch are too much for the oracle
  double seconds = 0.0;      // expected, rough
};

// Five minutes of one core per plan: first fewer samples (8 … 1), then fewer evaluations (32, 8).
[[nodiscard]] Budget budget_of(const Work& work);

}  // namespace dlbench::gate
