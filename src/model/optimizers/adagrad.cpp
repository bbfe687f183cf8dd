#include "model/optimizers/optimizers.hpp"

namespace dlbench::model {

OptimizerSpec adagrad_spec() {
  return {"adagrad", "s <- s + g²; w <- w - eta g / (sqrt(s) + epsilon); s starts at initial_accumulator",
          with_decay({initial_accumulator_setting(), epsilon_setting(1e-10)})};
}

}  // namespace dlbench::model
