#include "model/optimizers/optimizers.hpp"

namespace dlbench::model {

OptimizerSpec rmsprop_spec() {
  return {"rmsprop",
          "s <- rho s + (1 - rho) g²; q = s, centered: a <- rho a + (1 - rho) g, q = s - a²; "
          "d = g / (sqrt(q) + epsilon), epsilon_place inside: g / sqrt(q + epsilon); "
          "rate_outside: v <- mu v + d; w <- w - eta v. rate_inside: v <- mu v + eta d; w <- w - v. "
          "s starts at initial_accumulator",
          with_decay({setting<&Optimizer::rho>({.name = "rho",
                                                .default_value = 0.9,
                                                .meaning = "share of the old mean of squares, in [0, 1)",
                                                .range = kept_share}),
                      setting<&Optimizer::centered>({.name = "centered",
                                                     .default_value = false,
                                                     .meaning = "divides by the deviation from the mean"}),
                      epsilon_setting(1e-8),
                      setting<&Optimizer::epsilon_place>({.name = "epsilon_place",
                                                          .default_value = "outside",
                                                          .meaning = "of the root: outside or inside"}),
                      initial_accumulator_setting(), momentum_setting(), form_setting()})};
}

}  // namespace dlbench::model
