#include "gate/stress.hpp"

#include <algorithm>
#include <limits>

#include "model/optimizer_spec.hpp"

namespace dlbench::gate {
namespace {

constexpr double stress_decay = 0.1;
constexpr double stress_epsilon = 1e-2;
constexpr double stress_ema = 0.5;  // with a ramp the first seven steps keep less, the others this
constexpr double binding_share = 0.5;

// A gradient that is zero by construction binds nothing.
double smallest_positive(const std::vector<double>& values) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const double value : values) {
    if (value > 0.0) {
      smallest = std::min(smallest, value);
    }
  }
  return smallest;
}

}  // namespace

model::Recipe stressed(model::Recipe recipe, const GradientSize& gradient) {
  recipe.optimizer.weight_decay = stress_decay;
  if (model::has_setting(model::optimizer_spec(recipe.optimizer.name).settings, "epsilon")) {
    recipe.optimizer.epsilon = stress_epsilon;
  }
  if (recipe.weight_ema.decay > 0.0) {
    recipe.weight_ema.decay = stress_ema;
  }
  if (recipe.clip.by != model::ClipBy::none && gradient.norm > 0.0) {
    const bool by_norm = recipe.clip.by == model::ClipBy::global_norm;
    recipe.clip.limit = binding_share * (by_norm ? gradient.norm : smallest_positive(gradient.largest));
  }
  return recipe;
}

}  // namespace dlbench::gate
