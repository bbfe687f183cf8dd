// One function per optimizer, each defined in the file of its name, and what several of them share.
#pragma once

#include <vector>

#include "model/optimizer_spec.hpp"

namespace dlbench::model {

[[nodiscard]] OptimizerSpec adadelta_spec();
[[nodiscard]] OptimizerSpec adagrad_spec();
[[nodiscard]] OptimizerSpec adam_spec();
[[nodiscard]] OptimizerSpec rmsprop_spec();
[[nodiscard]] OptimizerSpec sgd_spec();

// `own`, then weight_decay, decay_bias and decay_norm, which every optimizer has.
[[nodiscard]] std::vector<Setting<Optimizer>> with_decay(std::vector<Setting<Optimizer>> own);

[[nodiscard]] Setting<Optimizer> epsilon_setting(double default_value);
[[nodiscard]] Setting<Optimizer> form_setting();
[[nodiscard]] Setting<Optimizer> momentum_setting();
[[nodiscard]] Setting<Optimizer> initial_accumulator_setting();

// A share of the old value that is kept: [0, 1).
inline constexpr Range kept_share = {.high = 1.0};

}  // namespace dlbench::model
