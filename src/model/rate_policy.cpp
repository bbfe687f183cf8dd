// step, multistep, exp, inv and poly are the policies of Caffe's solver; tri, triexp, sin and cos are the
// cyclic ones that Wu et al. compare (Demystifying Learning Rate Policies, 2019).
#include "model/rate_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace dlbench::model {
namespace {

constexpr double most_steps = 1e9;
constexpr Range steps = {.low = 1.0, .high = most_steps, .with_high = true};

Setting<RatePolicy> base_setting(const char* meaning) {
  return setting<&RatePolicy::base>({.name = "base", .meaning = meaning});
}

Setting<RatePolicy> gamma_setting(const char* meaning, const Range& range) {
  return setting<&RatePolicy::gamma>({.name = "gamma", .meaning = meaning, .range = range});
}

Setting<RatePolicy> power_setting() {
  return setting<&RatePolicy::power>({.name = "power", .meaning = "exponent, at least 0"});
}

// base, peak and the length of half a cycle, then `more`.
std::vector<Setting<RatePolicy>> cyclic_settings(std::vector<Setting<RatePolicy>> more = {}) {
  std::vector<Setting<RatePolicy>> settings = {
      base_setting("the lowest rate"),
      setting<&RatePolicy::peak>({.name = "peak", .meaning = "the highest rate"}),
      setting<&RatePolicy::half_cycle_steps>(
          {.name = "half_cycle_steps", .meaning = "steps from one extreme to the other", .range = steps})};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

constexpr Range positive = {.with_low = false};
constexpr Range shrinking = {.high = 1.0, .with_low = false, .with_high = true};

double power_of(double base, std::int64_t exponent) {
  return std::pow(base, static_cast<double>(exponent));
}

double fixed(const RatePolicy& p, std::int64_t /*step*/) {
  return p.base;
}

double step_rate(const RatePolicy& p, std::int64_t step) {
  const std::int64_t drops = step / p.every_steps;  // whole ones
  return p.base * power_of(p.gamma, drops);
}

double multistep(const RatePolicy& p, std::int64_t step) {
  return p.base * power_of(p.gamma, std::ranges::upper_bound(p.at_steps, step) - p.at_steps.begin());
}

double exponential(const RatePolicy& p, std::int64_t step) {
  return p.base * power_of(p.gamma, step);
}

double inverse(const RatePolicy& p, std::int64_t step) {
  return p.base * std::pow(1.0 + p.gamma * static_cast<double>(step), -p.power);
}

double polynomial(const RatePolicy& p, std::int64_t step) {
  if (step >= p.end_step) {
    return 0.0;
  }
  return p.base * std::pow(1.0 - static_cast<double>(step) / static_cast<double>(p.end_step), p.power);
}

// Where the step stands in its cycle, in half cycles: [0, 2). Taken from whole numbers, so that every cycle
// has the same rates to the last bit.
double phase(const RatePolicy& p, std::int64_t step) {
  return static_cast<double>(step % (2 * p.half_cycle_steps)) / static_cast<double>(p.half_cycle_steps);
}

double between(const RatePolicy& p, double share) {
  return p.base + (p.peak - p.base) * share;
}

// (2 / pi) |asin(sin(pi x / 2))|: up to 1 at x = 1 and down again.
double triangle(double x) {
  return x <= 1.0 ? x : 2.0 - x;
}

double tri(const RatePolicy& p, std::int64_t step) {
  return between(p, triangle(phase(p, step)));
}

double triexp(const RatePolicy& p, std::int64_t step) {
  return between(p, triangle(phase(p, step)) * power_of(p.gamma, step));
}

double sine(const RatePolicy& p, std::int64_t step) {
  return between(p, std::sin(std::numbers::pi * phase(p, step) / 2.0));
}

double cosine(const RatePolicy& p, std::int64_t step) {
  return between(p, (1.0 + std::cos(std::numbers::pi * phase(p, step))) / 2.0);
}

std::vector<RatePolicySpec> decaying_policies() {
  const auto every = setting<&RatePolicy::every_steps>(
      {.name = "every_steps", .meaning = "steps between two drops", .range = steps});
  const auto at = setting<&RatePolicy::at_steps>(
      {.name = "at_steps", .meaning = "the steps from which on each drop counts", .range = steps});
  const auto end = setting<&RatePolicy::end_step>(
      {.name = "end_step", .meaning = "from this step on the rate is 0", .range = steps});
  const auto gamma = gamma_setting("factor of one drop, greater than 0", positive);
  return {
      {"fixed", "base", {base_setting("the rate")}, fixed},
      {"step", "base * gamma^floor(s / every_steps)", {base_setting("first rate"), gamma, every}, step_rate},
      {"multistep",
       "base * gamma^(how many of at_steps are <= s)",
       {base_setting("first rate"), gamma, at},
       multistep},
      {"exp",
       "base * gamma^s",
       {base_setting("first rate"), gamma_setting("factor of one step, in (0, 1]", shrinking)},
       exponential},
      {"inv",
       "base * (1 + gamma * s)^-power",
       {base_setting("first rate"), gamma_setting("speed of the decay, at least 0", {}), power_setting()},
       inverse},
      {"poly",
       "base * (1 - s / end_step)^power, from end_step on 0",
       {base_setting("first rate"), power_setting(), end},
       polynomial},
  };
}

std::vector<RatePolicySpec> cyclic_policies() {
  const auto gamma = gamma_setting("factor of one step on the height of the cycle, in (0, 1]", shrinking);
  return {
      {"tri", "base + (peak - base) * (2 / pi) * |asin(sin(pi * s / (2 * half_cycle_steps)))|",
       cyclic_settings(), tri},
      {"triexp", "base + (peak - base) * gamma^s * (2 / pi) * |asin(sin(pi * s / (2 * half_cycle_steps)))|",
       cyclic_settings({gamma}), triexp},
      {"sin", "base + (peak - base) * |sin(pi * s / (2 * half_cycle_steps))|", cyclic_settings(), sine},
      {"cos", "base + (peak - base) * (1 + cos(pi * s / half_cycle_steps)) / 2", cyclic_settings(), cosine},
  };
}

}  // namespace

const std::vector<RatePolicySpec>& rate_policies() {
  static const std::vector<RatePolicySpec> policies = [] {
    std::vector<RatePolicySpec> all = decaying_policies();
    const std::vector<RatePolicySpec> cyclic = cyclic_policies();
    all.insert(all.end(), cyclic.begin(), cyclic.end());
    return all;
  }();
  return policies;
}

const RatePolicySpec& rate_policy(const std::string& name) {
  std::vector<std::string> names;
  for (const RatePolicySpec& spec : rate_policies()) {
    if (spec.name == name) {
      return spec;
    }
    names.push_back(spec.name);
  }
  throw base::UserError(fmt::format("recipe: rate.policy '{}' is unknown", name), "rate.policy",
                        base::nearest_hint(name, names));
}

}  // namespace dlbench::model
