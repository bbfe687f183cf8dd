// Which elements of a movement single precision does not determine.
#pragma once

#include "gate/gate.hpp"

namespace dlbench::gate {

// Whether the recipe's optimizer divides by the size of the gradient; sgd divides by nothing.
[[nodiscard]] bool divides_by_gradient(const model::Recipe& recipe);

// An optimizer that divides by the size of the gradient turns a gradient of rounding alone into a step of
// full length, so a few elements among many take whatever way rounding sends them. They say nothing of a
// framework, and must not widen the limit of all others.
//
// Sets experiment.undetermined of an expectation whose truth is known: elements that part from the truth by a
// share that no limit may reach, in one of several single-precision evaluations. Nothing where the optimizer
// does not divide. A tensor that has more than a hundredth of such elements keeps all: that is chaos. The
// evaluations round otherwise than those of the envelope, which so measures what is left independently.
void find_undetermined(Expectation& expectation, int evaluations, double factor);

}  // namespace dlbench::gate
