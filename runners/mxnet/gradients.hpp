// What the recipe does to the gradients and an update operator does not do itself.
#pragma once

#include <vector>

#include "api.hpp"
#include "model/recipe.hpp"
#include "network.hpp"

namespace runner {

// What an update operator does itself as the recipe says it.
struct OwnWork {
  bool clips_elements = false;  // before the decay
  bool decays = true;
};

// Calls that clip the gradients in place and then add the decay, in the order in which they must run.
[[nodiscard]] std::vector<Invocation> changes_of_gradients(const dlbench::model::Recipe& recipe,
                                                           const std::vector<Weights>& weights, OwnWork own);

}  // namespace runner
