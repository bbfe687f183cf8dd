// The recipe of "steps.stress": the same optimizer with values at which every part of its formula shows.
#pragma once

#include <vector>

#include "model/recipe.hpp"

namespace dlbench::gate {

struct GradientSize {
  std::vector<double> largest;  // magnitude per parameter; 0: zero by construction
  double norm = 0.0;            // Euclidean, of all parameters together
};

// Weight decay 0.1; epsilon 1e-2 where the optimizer has one; where the recipe clips, a limit that binds at
// gradients of this size: half the norm, or half of the smallest parameter's largest element; averages, if
// the recipe has them, that keep half.
[[nodiscard]] model::Recipe stressed(model::Recipe recipe, const GradientSize& gradient);

}  // namespace dlbench::gate
