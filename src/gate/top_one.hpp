// Whether a framework's evaluation picks the same classes.
#pragma once

#include <cstdint>

#include "gate/gate.hpp"

namespace dlbench::gate {

// Of rows of logits (one for each sample, or for each of its positions): those whose largest logit belongs to
// another class than in the truth. Where the truth's first class leads by so little that the limit of the
// logits allows either, a row is not counted. Values of another size: every row.
[[nodiscard]] std::int64_t other_classes(const Expectation& expectation, const Result& seen);

}  // namespace dlbench::gate
