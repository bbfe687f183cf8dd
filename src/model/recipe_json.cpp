#include <fmt/format.h>

#include "base/error.hpp"
#include "model/detail/json_text.hpp"
#include "model/detail/object_reader.hpp"
#include "model/json.hpp"
#include "model/optimizer_spec.hpp"
#include "model/rate_policy.hpp"

namespace dlbench::model {
namespace {

using nlohmann::json;

constexpr std::size_t max_listed_steps = 1000;

json json_of(const Attribute& value) {
  return std::visit([](const auto& v) { return json(v); }, value);
}

template <class Owner>
json json_of(const std::vector<Setting<Owner>>& settings, const Owner& owner) {
  json object = json::object();
  for (const Setting<Owner>& setting : settings) {
    object[setting.name] = json_of(setting.get(owner));
  }
  return object;
}

Attribute read_value(const ObjectReader& reader, const SettingRule& rule) {
  const char* key = rule.name.c_str();
  switch (rule.kind) {
    case AttributeKind::flag:
      return reader.flag(key);
    case AttributeKind::integer:
      return reader.integer(key);
    case AttributeKind::real:
      return reader.real(key);
    case AttributeKind::text:
      return reader.text(key);
    case AttributeKind::integers:
      return reader.integers(key, max_listed_steps);
  }
  base::fail_assertion("known kind", __FILE__, __LINE__, rule.name);
}

// `own_key` is the name of the optimizer or policy, which is no setting.
template <class Owner>
void read_settings(const json& value, const std::string& place, const char* own_key,
                   const std::vector<Setting<Owner>>& settings, Owner& owner) {
  const ObjectReader reader(value, place);
  for (const auto& [key, member] : value.items()) {
    if (key != own_key && !has_setting(settings, key)) {
      reject_json(place, fmt::format("unknown key '{}'", key));
    }
  }
  for (const Setting<Owner>& setting : settings) {
    const bool absent = !reader.has(setting.name.c_str()) && setting.default_value;
    const Attribute read = absent ? *setting.default_value : read_value(reader, setting);
    if (const auto problem = problem_with(setting, read)) {
      reject_json(reader.place(setting.name.c_str()), *problem);
    }
    setting.set(owner, read);
  }
}

Optimizer read_optimizer(const json& value) {
  const std::string place = "recipe.optimizer";
  Optimizer optimizer;
  optimizer.name = ObjectReader(value, place).text("name");
  read_settings(value, place, "name", optimizer_spec(optimizer.name).settings, optimizer);
  return optimizer;
}

RatePolicy read_rate(const json& value) {
  const std::string place = "recipe.rate";
  RatePolicy rate;
  rate.policy = ObjectReader(value, place).text("policy");
  read_settings(value, place, "policy", rate_policy(rate.policy).settings, rate);
  return rate;
}

Initialiser read_initialiser(const json& value) {
  const ObjectReader reader(value, "recipe.initialiser", {"name", "seed"});
  return {reader.text("name"), reader.natural("seed")};
}

}  // namespace

std::string to_json(const Recipe& recipe) {
  json optimizer = json_of(optimizer_spec(recipe.optimizer.name).settings, recipe.optimizer);
  optimizer["name"] = recipe.optimizer.name;
  json rate = json_of(rate_policy(recipe.rate.policy).settings, recipe.rate);
  rate["policy"] = recipe.rate.policy;
  const json value = {{"optimizer", std::move(optimizer)},
                      {"rate", std::move(rate)},
                      {"clip", json_of(clip_settings(), recipe.clip)},
                      {"weight_ema", json_of(weight_ema_settings(), recipe.weight_ema)},
                      {"initialiser", {{"name", recipe.initialiser.name}, {"seed", recipe.initialiser.seed}}},
                      {"batch", recipe.batch}};
  return canonical_text(value);
}

Recipe recipe_from_json(std::string_view text) {
  const json value = parse_strict(text, "recipe");
  const ObjectReader reader(value, "recipe",
                            {"optimizer", "rate", "clip", "weight_ema", "initialiser", "batch"});
  Recipe recipe;
  recipe.optimizer = read_optimizer(reader.at("optimizer"));
  recipe.rate = read_rate(reader.at("rate"));
  if (reader.has("clip")) {
    read_settings(reader.at("clip"), "recipe.clip", "", clip_settings(), recipe.clip);
  }
  if (reader.has("weight_ema")) {
    read_settings(reader.at("weight_ema"), "recipe.weight_ema", "", weight_ema_settings(), recipe.weight_ema);
  }
  recipe.initialiser = read_initialiser(reader.at("initialiser"));
  recipe.batch = reader.integer("batch");
  validate(recipe);
  return recipe;
}

}  // namespace dlbench::model
