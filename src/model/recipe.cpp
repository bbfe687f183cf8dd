#include "model/recipe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "model/optimizer_spec.hpp"
#include "model/rate_policy.hpp"

namespace dlbench::model {
namespace {

constexpr const char* xavier = "xavier_uniform_fan_in";

void require(bool condition, const char* key, const std::string& rule) {
  if (!condition) {
    throw base::UserError(fmt::format("recipe: {} {}", key, rule), key);
  }
}

void validate_optimizer(const Optimizer& optimizer) {
  const OptimizerSpec& spec = optimizer_spec(optimizer.name);
  check_settings(spec.settings, optimizer, "optimizer.");
  if (spec.check != nullptr) {
    spec.check(optimizer);
  }
}

void validate_rate(const RatePolicy& rate) {
  const RatePolicySpec& spec = rate_policy(rate.policy);
  check_settings(spec.settings, rate, "rate.");
  const bool cycles = has_setting(spec.settings, "peak");
  require(!cycles || rate.peak >= rate.base, "rate.peak", "must not be below the base");
}

void validate_clip(const Clip& clip) {
  check_settings(clip_settings(), clip, "clip.");
  const bool fits = clip.by == ClipBy::none ? clip.limit == 0.0 : clip.limit > 0.0;
  require(fits, "clip.limit", "must be greater than 0, and 0 without clipping");
}

void validate_weight_ema(const WeightEma& ema) {
  check_settings(weight_ema_settings(), ema, "weight_ema.");
  require(ema.decay >= 0.0 && ema.decay < 1.0, "weight_ema.decay", "must be in [0, 1)");
  require(ema.decay > 0.0 || !ema.ramp, "weight_ema.ramp", "means nothing without a decay");
}

// "momentum 0.9, weight_decay 0.0005"
template <class Owner>
std::string list_of(const std::vector<Setting<Owner>>& settings, const Owner& owner) {
  std::vector<std::string> parts;
  parts.reserve(settings.size());
  for (const Setting<Owner>& setting : settings) {
    parts.push_back(fmt::format("{} {}", setting.name, to_text(setting.get(owner))));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Tensor initial_tensor(const Parameter& parameter, std::uint64_t seed, std::uint64_t index) {
  Tensor tensor{parameter.shape,
                std::vector<float>(static_cast<std::size_t>(element_count(parameter.shape)))};
  if (!is_weight(parameter.role)) {
    const bool is_one = parameter.role == ParameterRole::scale || parameter.role == ParameterRole::variance;
    std::ranges::fill(tensor.values, is_one ? 1.0F : 0.0F);
    return tensor;
  }
  DLBENCH_ASSERT(parameter.fan_in > 0, parameter.name);
  const double bound = std::sqrt(3.0 / static_cast<double>(parameter.fan_in));
  const base::Random random(seed, base::Stream::initial_weights, index);
  for (std::size_t i = 0; i < tensor.values.size(); ++i) {
    // 2u - 1 is exact and the product is rounded once more to float: the same bits on every machine.
    tensor.values[i] = static_cast<float>((2.0 * static_cast<double>(random.uniform(i)) - 1.0) * bound);
  }
  return tensor;
}

}  // namespace

bool decays(ParameterRole role, const Optimizer& optimizer) {
  switch (role) {
    case ParameterRole::weight:
    case ParameterRole::recurrent:
      return true;
    case ParameterRole::bias:
      return optimizer.decay_bias;
    case ParameterRole::scale:
    case ParameterRole::shift:
      return optimizer.decay_norm;
    case ParameterRole::mean:
    case ParameterRole::variance:
      return false;
  }
  base::fail_assertion("known role", __FILE__, __LINE__, "");
}

void validate(const Recipe& recipe) {
  validate_optimizer(recipe.optimizer);
  validate_rate(recipe.rate);
  validate_clip(recipe.clip);
  validate_weight_ema(recipe.weight_ema);
  require(recipe.initialiser.name == xavier, "initialiser.name",
          fmt::format("'{}' is unknown; known: {}", recipe.initialiser.name, xavier));
  require(recipe.batch >= 1 && recipe.batch <= 1'000'000, "batch", "must be in 1 … 1,000,000");
}

double ema_decay(const WeightEma& ema, std::int64_t t) {
  DLBENCH_ASSERT(t >= 1, "steps count from 1");
  const auto taken = static_cast<double>(t);
  return ema.ramp ? std::min(ema.decay, (1.0 + taken) / (10.0 + taken)) : ema.decay;
}

double rate_at(const RatePolicy& policy, std::int64_t step) {
  DLBENCH_ASSERT(step >= 0, "step");
  const std::vector<RatePolicySpec>& known = rate_policies();
  const auto found = std::ranges::find(known, policy.policy, &RatePolicySpec::name);
  DLBENCH_ASSERT(found != known.end(), policy.policy);
  return found->rate(policy, step);
}

std::vector<std::string> required_optimizers(const Recipe& recipe) {
  std::vector<std::string> names = {recipe.optimizer.name};
  if (recipe.optimizer.name == "sgd" && recipe.optimizer.nesterov) {
    names.emplace_back("nesterov");
  }
  if (recipe.clip.by != ClipBy::none) {
    names.push_back("clip=" + name_of(recipe.clip.by));
  }
  if (recipe.weight_ema.decay > 0.0) {
    names.emplace_back("weight_ema");
  }
  return names;
}

std::string to_text(const Recipe& recipe) {
  const Optimizer& optimizer = recipe.optimizer;
  std::string text =
      fmt::format("{} ({})", optimizer.name, list_of(optimizer_spec(optimizer.name).settings, optimizer));
  if (recipe.clip.by != ClipBy::none) {
    text += fmt::format(", gradients clipped by {} at {}", name_of(recipe.clip.by), recipe.clip.limit);
  }
  text += fmt::format(", rate {} ({})", recipe.rate.policy,
                      list_of(rate_policy(recipe.rate.policy).settings, recipe.rate));
  if (recipe.weight_ema.decay > 0.0) {
    text += fmt::format(", evaluated with averaged weights ({})",
                        list_of(weight_ema_settings(), recipe.weight_ema));
  }
  return text;
}

const std::vector<std::string>& names_of(SgdForm /*any*/) {
  static const std::vector<std::string> names = {"rate_outside", "rate_inside"};
  return names;
}

const std::vector<std::string>& names_of(EpsilonPlace /*any*/) {
  static const std::vector<std::string> names = {"outside", "inside"};
  return names;
}

const std::vector<std::string>& names_of(ClipBy /*any*/) {
  static const std::vector<std::string> names = {"none", "element", "global_norm"};
  return names;
}

Weights initial_weights(const Graph& graph, const Initialiser& initialiser) {
  DLBENCH_ASSERT(initialiser.name == xavier, initialiser.name);
  Weights weights;
  for (const Parameter& parameter : parameters(graph)) {
    weights.push_back(initial_tensor(parameter, initialiser.seed, weights.size()));
  }
  return weights;
}

}  // namespace dlbench::model
