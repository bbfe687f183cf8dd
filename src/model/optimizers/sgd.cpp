#include "base/error.hpp"
#include "model/optimizers/optimizers.hpp"

namespace dlbench::model {
namespace {

void check(const Optimizer& optimizer) {
  if (optimizer.nesterov && optimizer.momentum == 0.0) {
    throw base::UserError("recipe: optimizer.nesterov needs a momentum", "optimizer.nesterov");
  }
}

}  // namespace

OptimizerSpec sgd_spec() {
  return {"sgd",
          "rate_outside: v <- mu v + g; w <- w - eta v, with nesterov w <- w - eta (g + mu v). "
          "rate_inside: v <- mu v + eta g; w <- w - v, with nesterov w <- w - (eta g + mu v)",
          with_decay({form_setting(), momentum_setting(),
                      setting<&Optimizer::nesterov>({.name = "nesterov",
                                                     .default_value = false,
                                                     .meaning = "looks ahead by one more momentum"})}),
          check};
}

}  // namespace dlbench::model
