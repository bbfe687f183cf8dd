// Optimizers of the recipe in TensorFlow: operations that update every variable.
#pragma once

#include <vector>

#include "model/recipe.hpp"
#include "network.hpp"
#include "runner_sdk/cpp/lower.hpp"

namespace runner {

// Adds the updates of a differentiated network; `rate` is a scalar of each run.
using AddUpdates = std::vector<TF_Operation*> (*)(Network& network, const dlbench::model::Optimizer& wanted,
                                                  TF_Output rate);

[[nodiscard]] const dlbench::sdk::Table<AddUpdates>& optimizers();

}  // namespace runner
