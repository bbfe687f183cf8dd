#include "model/optimizers/optimizers.hpp"

namespace dlbench::model {

std::vector<Setting<Optimizer>> with_decay(std::vector<Setting<Optimizer>> own) {
  own.push_back(
      setting<&Optimizer::weight_decay>({.name = "weight_decay",
                                         .default_value = 0.0,
                                         .meaning = "lambda; lambda * w is added to the gradient"}));
  own.push_back(setting<&Optimizer::decay_bias>(
      {.name = "decay_bias", .default_value = true, .meaning = "whether biases decay too"}));
  own.push_back(
      setting<&Optimizer::decay_norm>({.name = "decay_norm",
                                       .default_value = true,
                                       .meaning = "whether scales and shifts of normalisations decay too"}));
  return own;
}

Setting<Optimizer> epsilon_setting(double default_value) {
  return setting<&Optimizer::epsilon>({.name = "epsilon",
                                       .default_value = default_value,
                                       .meaning = "keeps the divisor off zero, in (0, 1]",
                                       .range = {.high = 1.0, .with_low = false, .with_high = true}});
}

Setting<Optimizer> form_setting() {
  return setting<&Optimizer::form>({.name = "form",
                                    .default_value = "rate_outside",
                                    .meaning = "whether the rate is applied behind or before the momentum"});
}

Setting<Optimizer> momentum_setting() {
  return setting<&Optimizer::momentum>(
      {.name = "momentum", .default_value = 0.0, .meaning = "mu, in [0, 1)", .range = kept_share});
}

Setting<Optimizer> initial_accumulator_setting() {
  return setting<&Optimizer::initial_accumulator>({.name = "initial_accumulator",
                                                   .default_value = 0.0,
                                                   .meaning = "s before the first step, at least 0"});
}

}  // namespace dlbench::model
