// When a suspected cause accounts for what a runner did.
#pragma once

#include "gate/compare.hpp"

namespace dlbench::gate {

// A fault may amplify rounding (a rate ten times too large does), and the batches were not chosen for its
// trajectory: a flipped relu moves one row of a tensor. So it need not meet the limits: it must explain all
// but this share of the difference, as a Euclidean norm, which one row cannot spoil.
inline constexpr double unexplained_share = 0.1;
// Or it comes near, in limits: where shapes differ, or where the fault changes nothing in double precision
// (values tie in single precision alone), there is no difference to explain a share of. Every fault must show
// by more than this.
inline constexpr double explained_limits = 10.0;

// `effect`: what the cause changes of the right result; `rest`: what the runner still differs by when the
// cause is there; `limit`: of the tensor or loss, infinite where it is not judged.
[[nodiscard]] bool is_explained(const Difference& effect, const Difference& rest, double limit);

}  // namespace dlbench::gate
