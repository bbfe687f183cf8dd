#include "study/recipe_keys.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "model/optimizer_spec.hpp"
#include "model/rate_policy.hpp"

namespace dlbench::study {
namespace {

constexpr const char* xavier = "xavier_uniform_fan_in";

YAML::Node required_part(const Section& recipe, const std::string& key) {
  if (!recipe.has(key)) {
    recipe.fail(recipe.node(), fmt::format("recipe lacks the key '{}'", key));
  }
  const YAML::Node part = recipe.require(key);
  if (!part.IsMap()) {
    recipe.fail(part, fmt::format("'{}' must be a mapping (key: value)", key));
  }
  return part;
}

// The value of `own_key`, which says what the other keys may be.
std::string chosen(const Section& recipe, const std::string& key, const std::string& own_key) {
  const YAML::Node part = required_part(recipe, key);
  const YAML::Node name = part[own_key];
  if (!name || !name.IsScalar()) {
    recipe.fail(part, fmt::format("'{}' lacks the key '{}'", key, own_key));
  }
  return name.Scalar();
}

model::Attribute read_value(const Section& section, const model::SettingRule& rule) {
  switch (rule.kind) {
    case model::AttributeKind::flag:
      return section.boolean(rule.name, false);
    case model::AttributeKind::integer:
      return section.integer(rule.name);
    case model::AttributeKind::real:
      return section.real(rule.name);
    case model::AttributeKind::text:
      return section.text(rule.name);
    case model::AttributeKind::integers:
      return section.integers(rule.name);
  }
  base::fail_assertion("known kind", __FILE__, __LINE__, rule.name);
}

template <class Owner>
void read_settings(const Section& recipe, const std::string& key, const std::string& own_key,
                   const std::vector<model::Setting<Owner>>& settings, Owner& owner) {
  std::vector<std::string> known = model::names_of_settings(settings);
  if (!own_key.empty()) {
    known.push_back(own_key);
  }
  const Section section = recipe.section(key, known).value();
  for (const model::Setting<Owner>& setting : settings) {
    if (!section.has(setting.name) && setting.default_value) {
      setting.set(owner, *setting.default_value);
      continue;
    }
    const model::Attribute value = read_value(section, setting);
    if (const auto problem = model::problem_with(setting, value)) {
      section.fail(section.require(setting.name), fmt::format("'{}' {}", setting.name, *problem));
    }
    setting.set(owner, value);
  }
}

// The spec that `find` has for the name under `own_key`; its complaint gets the line.
template <class Find>
const auto& chosen_spec(const Section& recipe, const std::string& key, const std::string& own_key,
                        Find find) {
  const std::string name = chosen(recipe, key, own_key);
  try {
    return find(name);
  } catch (const base::UserError& error) {
    recipe.fail(recipe.require(key)[own_key], error.what(), error.hint());
  }
}

const std::vector<std::string>& known_keys(record::Task task) {
  static const std::vector<std::string> training = {"batch",      "optimizer", "clip",
                                                    "weight_ema", "rate",      "initialiser"};
  static const std::vector<std::string> inference = {"batch", "initialiser"};
  return task == record::Task::training ? training : inference;
}

void read_training(const Section& recipe, model::Recipe& result) {
  const auto& optimizer = chosen_spec(recipe, "optimizer", "name", model::optimizer_spec);
  result.optimizer.name = optimizer.name;
  read_settings(recipe, "optimizer", "name", optimizer.settings, result.optimizer);
  const auto& rate = chosen_spec(recipe, "rate", "policy", model::rate_policy);
  result.rate.policy = rate.name;
  read_settings(recipe, "rate", "policy", rate.settings, result.rate);
  if (recipe.has("clip")) {
    read_settings(recipe, "clip", "", model::clip_settings(), result.clip);
  }
  if (recipe.has("weight_ema")) {
    read_settings(recipe, "weight_ema", "", model::weight_ema_settings(), result.weight_ema);
  }
}

}  // namespace

model::Recipe read_recipe(const Section& top, std::uint64_t seed, record::Task task) {
  const auto recipe = top.section("recipe", known_keys(task));
  if (!recipe) {
    top.fail(top.node(), "the study lacks the key 'recipe'");
  }
  model::Recipe result;
  result.batch = recipe->integer("batch", 1, 1'000'000);
  if (task == record::Task::training) {
    read_training(*recipe, result);
  }
  result.initialiser.seed = seed;
  if (recipe->text("initialiser", xavier) != xavier) {
    recipe->fail(recipe->require("initialiser"),
                 fmt::format("unknown initialiser '{}'", recipe->text("initialiser")),
                 fmt::format("known: {}", xavier));
  }
  return result;
}

}  // namespace dlbench::study
