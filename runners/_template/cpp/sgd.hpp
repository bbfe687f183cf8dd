// The optimizer table.
#pragma once

#include "model/recipe.hpp"
#include "network.hpp"
#include "runner_sdk/cpp/lower.hpp"

namespace template_runner {

// Applies one update to one parameter.
using Update = void (*)(Weights& weights, const dlbench::model::Optimizer& optimizer, double rate);

[[nodiscard]] const dlbench::sdk::Table<Update>& optimizers();

}  // namespace template_runner
