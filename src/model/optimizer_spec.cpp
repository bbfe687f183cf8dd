#include "model/optimizer_spec.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "model/optimizers/optimizers.hpp"

namespace dlbench::model {

const std::vector<OptimizerSpec>& builtin_optimizers() {
  static const std::vector<OptimizerSpec> optimizers = {
      adadelta_spec(), adagrad_spec(), adam_spec(), rmsprop_spec(), sgd_spec(),
  };
  return optimizers;
}

const OptimizerSpec& optimizer_spec(const std::string& name) {
  std::vector<std::string> names;
  for (const OptimizerSpec& spec : builtin_optimizers()) {
    if (spec.name == name) {
      return spec;
    }
    names.push_back(spec.name);
  }
  throw base::UserError(fmt::format("recipe: optimizer.name '{}' is unknown", name), "optimizer.name",
                        base::nearest_hint(name, names));
}

Optimizer default_optimizer(const std::string& name) {
  const OptimizerSpec& spec = optimizer_spec(name);
  Optimizer optimizer;
  optimizer.name = name;
  for (const Setting<Optimizer>& setting : spec.settings) {
    DLBENCH_ASSERT(setting.default_value.has_value(), setting.name);
    setting.set(optimizer, *setting.default_value);
  }
  return optimizer;
}

const std::vector<Setting<Clip>>& clip_settings() {
  static const std::vector<Setting<Clip>> settings = {
      setting<&Clip::by>({.name = "by",
                          .default_value = "none",
                          .meaning = "none, element (each number on its own) or global_norm (all together)"}),
      setting<&Clip::limit>(
          {.name = "limit", .default_value = 0.0, .meaning = "largest magnitude or norm left; 0 for none"}),
  };
  return settings;
}

const std::vector<Setting<WeightEma>>& weight_ema_settings() {
  static const std::vector<Setting<WeightEma>> settings = {
      setting<&WeightEma::decay>({.name = "decay",
                                  .default_value = 0.0,
                                  .meaning = "share of the average that a step keeps; 0 for no average"}),
      setting<&WeightEma::ramp>({.name = "ramp",
                                 .default_value = false,
                                 .meaning = "step t keeps (1 + t) / (10 + t) where that is less"}),
  };
  return settings;
}

}  // namespace dlbench::model
