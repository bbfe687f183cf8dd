#include "model/recipe.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "base/philox.hpp"

namespace dlbench::model {
namespace {

constexpr const char* xavier = "xavier_uniform_fan_in";

void require(bool condition, const char* key, const std::string& rule) {
  if (!condition) {
    throw base::UserError(fmt::format("recipe: {} {}", key, rule), key);
  }
}

void validate_optimizer(const Optimizer& optimizer) {
  require(optimizer.name == "sgd", "optimizer.name",
          fmt::format("'{}' is unknown; known: sgd", optimizer.name));
  require(optimizer.momentum >= 0.0 && optimizer.momentum < 1.0, "optimizer.momentum", "must be in [0, 1)");
  require(optimizer.weight_decay >= 0.0 && std::isfinite(optimizer.weight_decay), "optimizer.weight_decay",
          "must be finite and not negative");
}

void validate_rate(const RatePolicy& rate) {
  require(rate.policy == "fixed" || rate.policy == "step", "rate.policy",
          fmt::format("'{}' is unknown; known: fixed, step", rate.policy));
  require(rate.base >= 0.0 && std::isfinite(rate.base), "rate.base", "must be finite and not negative");
  if (rate.policy == "step") {
    require(rate.gamma > 0.0 && std::isfinite(rate.gamma), "rate.gamma", "must be finite and greater than 0");
    require(rate.every_steps >= 1, "rate.every_steps", "must be at least 1");
  }
}

Tensor initial_tensor(const Parameter& parameter, std::uint64_t seed, std::uint64_t index) {
  Tensor tensor{parameter.shape,
                std::vector<float>(static_cast<std::size_t>(element_count(parameter.shape)))};
  if (parameter.role == ParameterRole::bias) {
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

void validate(const Recipe& recipe) {
  validate_optimizer(recipe.optimizer);
  validate_rate(recipe.rate);
  require(recipe.initialiser.name == xavier, "initialiser.name",
          fmt::format("'{}' is unknown; known: {}", recipe.initialiser.name, xavier));
  require(recipe.batch >= 1 && recipe.batch <= 1'000'000, "batch", "must be in 1 … 1,000,000");
}

double rate_at(const RatePolicy& policy, std::int64_t step) {
  DLBENCH_ASSERT(step >= 0, "step");
  if (policy.policy == "fixed") {
    return policy.base;
  }
  DLBENCH_ASSERT(policy.policy == "step" && policy.every_steps > 0, policy.policy);
  const std::int64_t drops = step / policy.every_steps;  // whole ones
  return policy.base * std::pow(policy.gamma, static_cast<double>(drops));
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
