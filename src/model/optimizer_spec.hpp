// What dlbench knows of one optimizer: formula and settings. Adding one = one file in model/optimizers, one
// line in builtin_optimizers(), one file in oracle/optimizers.
//
// In the formulas g is the gradient of the mean loss, clipped if the recipe says so, plus lambda * w where
// weight decay applies; eta is the rate of the step; state starts at zero unless it says otherwise.
#pragma once

#include <string>
#include <vector>

#include "model/recipe.hpp"
#include "model/setting.hpp"

namespace dlbench::model {

struct OptimizerSpec {
  std::string name;
  std::string definition;  // the formula, as in docs/gate.md
  std::vector<Setting<Optimizer>> settings;
  // Throws base::UserError for values that have no meaning together; nullptr: each has one alone.
  void (*check)(const Optimizer&) = nullptr;
};

[[nodiscard]] const std::vector<OptimizerSpec>& builtin_optimizers();
// Throws base::UserError with the nearest known name.
[[nodiscard]] const OptimizerSpec& optimizer_spec(const std::string& name);
// The optimizer with its defaults; throws as optimizer_spec.
[[nodiscard]] Optimizer default_optimizer(const std::string& name);

// by, limit.
[[nodiscard]] const std::vector<Setting<Clip>>& clip_settings();
[[nodiscard]] const std::vector<Setting<WeightEma>>& weight_ema_settings();

}  // namespace dlbench::model
