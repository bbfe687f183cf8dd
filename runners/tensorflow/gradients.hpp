// What the recipe does to the gradients before the optimizer sees them.
#pragma once

#include "model/recipe.hpp"
#include "network.hpp"

namespace runner {

// Clips the gradients of a differentiated network, then adds the decay.
void change_gradients(Network& network, const dlbench::model::Recipe& recipe);

}  // namespace runner
