#include "gate/fault.hpp"
#include "model/optimizer_spec.hpp"

namespace dlbench::gate {
namespace {

constexpr double usual_momentum = 0.9;
constexpr double usual_decay = 5e-4;
// Gradients of the first steps are shorter: only the stress recipe clips them.
constexpr double wide_limit = 100.0;

model::Optimizer usual(const std::string& name) {
  model::Optimizer optimizer = model::default_optimizer(name);
  optimizer.weight_decay = usual_decay;
  return optimizer;
}

}  // namespace

std::optional<model::Recipe> fault_recipe(const std::string& name, model::Recipe recipe) {
  recipe.clip = {};
  if (name == "adam") {
    recipe.optimizer = usual("adam");
    recipe.rate.base = 1e-3;
    return recipe;
  }
  recipe.optimizer = usual("sgd");
  recipe.optimizer.momentum = usual_momentum;
  if (name == "nesterov") {
    recipe.optimizer.nesterov = true;
    return recipe;
  }
  if (name == "clip") {
    recipe.clip = {model::ClipBy::global_norm, wide_limit};
    return recipe;
  }
  return name == "sgd" ? std::optional(recipe) : std::nullopt;
}

}  // namespace dlbench::gate
