// What a runner did with one experiment.
#pragma once

#include <vector>

#include "gate/experiment.hpp"

namespace dlbench::gate {

// Borrowed.
struct Observation {
  const Result* worst = nullptr;                 // the repeat that is furthest off
  const std::vector<Result>* repeats = nullptr;  // all of them
};

}  // namespace dlbench::gate
