// Recipes of every kind that a framework may train by: what `verify --recipes` proves, and what shows a fault
// that plain sgd cannot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/recipe.hpp"

namespace dlbench::gate {

// "sgd" (momentum and decay), "sgd_inside", "nesterov", "clip_element", "clip_norm", "weight_ema", then the
// other optimizers.
[[nodiscard]] std::vector<std::string> sample_recipe_names();

// `recipe` with another optimizer, clipping, averages and base rate; everything else stays. nullopt: no such
// name.
[[nodiscard]] std::optional<model::Recipe> sample_recipe(const std::string& name, model::Recipe recipe);

}  // namespace dlbench::gate
