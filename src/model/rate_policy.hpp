// What dlbench knows of one learning-rate policy: formula and settings. The host computes the rate of each
// step and hands it over as a number, so no framework's own schedule is in use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/recipe.hpp"
#include "model/setting.hpp"

namespace dlbench::model {

struct RatePolicySpec {
  std::string name;
  std::string definition;  // the formula, as in docs/gate.md; s is the step, from 0
  std::vector<Setting<RatePolicy>> settings;
  double (*rate)(const RatePolicy& policy, std::int64_t step) = nullptr;
};

[[nodiscard]] const std::vector<RatePolicySpec>& rate_policies();
// Throws base::UserError with the nearest known name.
[[nodiscard]] const RatePolicySpec& rate_policy(const std::string& name);

}  // namespace dlbench::model
