#include "model/optimizers/optimizers.hpp"

namespace dlbench::model {

OptimizerSpec adam_spec() {
  return {"adam",
          "t <- t + 1; m <- beta1 m + (1 - beta1) g; s <- beta2 s + (1 - beta2) g²; "
          "w <- w - eta (m / (1 - beta1^t)) / (sqrt(s / (1 - beta2^t)) + epsilon)",
          with_decay({setting<&Optimizer::beta1>({.name = "beta1",
                                                  .default_value = 0.9,
                                                  .meaning = "share of the old mean, in [0, 1)",
                                                  .range = kept_share}),
                      setting<&Optimizer::beta2>({.name = "beta2",
                                                  .default_value = 0.999,
                                                  .meaning = "share of the old mean of squares, in [0, 1)",
                                                  .range = kept_share}),
                      epsilon_setting(1e-8)})};
}

}  // namespace dlbench::model
