// The recipe's moving averages of the weights.
#pragma once

#include <vector>

#include "model/recipe.hpp"
#include "network.hpp"

namespace runner {

// Averages every trained variable after the `updates` of a step and lets evaluation read the averages.
// Returns the operations that do both.
std::vector<TF_Operation*> add_averages(Network& network, const dlbench::model::WeightEma& wanted,
                                        std::vector<TF_Operation*> updates);

}  // namespace runner
