#include "gate/sample_recipes.hpp"

#include <algorithm>

#include "model/optimizer_spec.hpp"

namespace dlbench::gate {
namespace {

constexpr double usual_momentum = 0.9;
constexpr double usual_decay = 5e-4;
constexpr double usual_ema = 0.9999;
// Gradients of the first steps are shorter: only the stress recipe clips them.
constexpr double wide_limit = 100.0;

struct Sample {
  const char* name;
  const char* optimizer;
  double rate;  // 0: as it was
  void (*change)(model::Recipe&);
};

void nothing(model::Recipe& /*recipe*/) {}

// Defaults of each optimizer, with decay and, where they have one, momentum.
const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = {
      {"sgd", "sgd", 0.0, nothing},
      {"sgd_inside", "sgd", 0.0, [](model::Recipe& r) { r.optimizer.form = model::SgdForm::rate_inside; }},
      {"nesterov", "sgd", 0.0, [](model::Recipe& r) { r.optimizer.nesterov = true; }},
      {"clip_element", "sgd", 0.0, [](model::Recipe& r) { r.clip = {model::ClipBy::element, wide_limit}; }},
      {"clip_norm", "sgd", 0.0, [](model::Recipe& r) { r.clip = {model::ClipBy::global_norm, wide_limit}; }},
      {"weight_ema", "sgd", 0.0, [](model::Recipe& r) { r.weight_ema = {.decay = usual_ema, .ramp = true}; }},
      {"adam", "adam", 1e-3, nothing},
      {"adadelta", "adadelta", 1.0, nothing},
      {"adagrad", "adagrad", 0.01, nothing},
      {"rmsprop", "rmsprop", 1e-3, nothing},
      {"rmsprop_inside", "rmsprop", 1e-3,
       [](model::Recipe& r) { r.optimizer.epsilon_place = model::EpsilonPlace::inside; }},
      // As TensorFlow 1 has it, whose mean square begins at one.
      {"rmsprop_momentum", "rmsprop", 1e-3,
       [](model::Recipe& r) {
         r.optimizer.epsilon_place = model::EpsilonPlace::inside;
         r.optimizer.initial_accumulator = 1.0;
         r.optimizer.momentum = usual_momentum;
         r.optimizer.form = model::SgdForm::rate_inside;
       }},
      {"rmsprop_centered", "rmsprop", 1e-3,
       [](model::Recipe& r) {
         r.optimizer.centered = true;
         r.optimizer.momentum = usual_momentum;
       }},
  };
  return all;
}

}  // namespace

std::vector<std::string> sample_recipe_names() {
  std::vector<std::string> names;
  for (const Sample& sample : samples()) {
    names.emplace_back(sample.name);
  }
  return names;
}

std::optional<model::Recipe> sample_recipe(const std::string& name, model::Recipe recipe) {
  const auto found = std::ranges::find_if(samples(), [&](const Sample& s) { return name == s.name; });
  if (found == samples().end()) {
    return std::nullopt;
  }
  recipe.clip = {};
  recipe.weight_ema = {};
  recipe.optimizer = model::default_optimizer(found->optimizer);
  recipe.optimizer.weight_decay = usual_decay;
  if (recipe.optimizer.name == "sgd") {
    recipe.optimizer.momentum = usual_momentum;
  }
  if (found->rate != 0.0) {
    recipe.rate.base = found->rate;
  }
  found->change(recipe);
  return recipe;
}

}  // namespace dlbench::gate
