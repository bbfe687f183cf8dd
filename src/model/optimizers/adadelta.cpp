#include "model/optimizers/optimizers.hpp"

namespace dlbench::model {

OptimizerSpec adadelta_spec() {
  return {
      "adadelta",
      "s <- rho s + (1 - rho) g²; d = g sqrt(u + epsilon) / sqrt(s + epsilon); u <- rho u + (1 - rho) d²; "
      "w <- w - eta d",
      with_decay({setting<&Optimizer::rho>({.name = "rho",
                                            .default_value = 0.9,
                                            .meaning = "share of the old means of squares, in [0, 1)",
                                            .range = kept_share}),
                  epsilon_setting(1e-6)})};
}

}  // namespace dlbench::model
