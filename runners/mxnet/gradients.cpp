#include "gradients.hpp"

#include <string>

namespace runner {

namespace {

namespace model = dlbench::model;
using Calls = std::vector<Invocation>;

bool is_trained(const Weights& weights) {
  return !model::is_statistic(weights.parameter.role);
}

void add_element_clipping(Calls& calls, const std::vector<Weights>& weights, double limit) {
  for (const Weights& entry : weights) {
    if (is_trained(entry)) {
      calls.emplace_back("clip", std::vector{entry.gradient}, entry.gradient,
                         Attributes{{"a_min", number(-limit)}, {"a_max", number(limit)}});
    }
  }
}

// limit / max(norm, limit) as an array of one number, by which every gradient is multiplied.
void add_norm_clipping(Calls& calls, const std::vector<Weights>& weights, double limit) {
  std::vector<Array> gradients;
  for (const Weights& entry : weights) {
    if (is_trained(entry)) {
      gradients.push_back(entry.gradient);
    }
  }
  const Array squares = make_array(Type::f32, {static_cast<std::int64_t>(gradients.size())});
  const Array factor = make_array(Type::f32, {1});
  const std::vector<Array> one{factor};
  calls.emplace_back("multi_sum_sq", gradients, squares,
                     Attributes{{"num_arrays", std::to_string(gradients.size())}});
  calls.emplace_back("sum", std::vector{squares}, factor, Attributes{});
  calls.emplace_back("sqrt", one, factor, Attributes{});
  calls.emplace_back("_maximum_scalar", one, factor, Attributes{{"scalar", number(limit)}});
  calls.emplace_back("_rdiv_scalar", one, factor, Attributes{{"scalar", number(limit)}});
  for (const Array& gradient : gradients) {
    calls.emplace_back("broadcast_mul", std::vector{gradient, factor}, gradient, Attributes{});
  }
}

// sgd_update at the rate -decay adds what it takes for the gradient, here the weight.
void add_decay(Calls& calls, const std::vector<Weights>& weights, const model::Optimizer& wanted) {
  for (const Weights& entry : weights) {
    if (is_trained(entry) && model::decays(entry.parameter.role, wanted)) {
      calls.emplace_back("sgd_update", std::vector{entry.gradient, entry.values}, entry.gradient,
                         Attributes{{"lr", number(-wanted.weight_decay)}});
    }
  }
}

}  // namespace

std::vector<Invocation> changes_of_gradients(const model::Recipe& recipe, const std::vector<Weights>& weights,
                                             OwnWork own) {
  Calls calls;
  if (recipe.clip.by == model::ClipBy::element && !own.clips_elements) {
    add_element_clipping(calls, weights, recipe.clip.limit);
  } else if (recipe.clip.by == model::ClipBy::global_norm) {
    add_norm_clipping(calls, weights, recipe.clip.limit);
  }
  if (recipe.optimizer.weight_decay != 0.0 && !own.decays) {
    add_decay(calls, weights, recipe.optimizer);
  }
  return calls;
}

}  // namespace runner
