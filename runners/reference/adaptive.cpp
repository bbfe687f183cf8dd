// Optimizers that divide by the size of past gradients; the formulas are those of docs/gate.md.
#include <cmath>

#include "sgd.hpp"
#include "update.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;

// A task that moves the weights by what `make` returns at each step: a function of (index, gradient).
template <class Make>
Task task_of(Network& network, Weights& weights, Make make) {
  const float decay = decay_of(network, weights);
  const float limit = limit_of(network);
  Weights* w = &weights;
  const StepNumbers* numbers = &network.numbers();
  return {weights.parameter.name + ".update",
          [=] { move_weights(*w, *numbers, decay, limit, make(*numbers)); }};
}

float as_float(double value) {
  return static_cast<float>(value);
}

}  // namespace

Task make_adam(Network& network, Weights& weights) {
  want_state(weights, {0.0F, 0.0F});
  const model::Optimizer wanted = network.load().recipe.optimizer;
  float* mean = weights.state[0].data();
  float* square = weights.state[1].data();
  return task_of(network, weights, [=](const StepNumbers& numbers) {
    const auto step = static_cast<double>(numbers.step);
    const double kept_mean = 1.0 - std::pow(wanted.beta1, step);
    const float root_kept = as_float(std::sqrt(1.0 - std::pow(wanted.beta2, step)));
    const float rate = as_float(static_cast<double>(numbers.rate) / kept_mean);
    const float beta1 = as_float(wanted.beta1);
    const float beta2 = as_float(wanted.beta2);
    const float new_mean = as_float(1.0 - wanted.beta1);
    const float new_square = as_float(1.0 - wanted.beta2);
    const float epsilon = as_float(wanted.epsilon);
    return [=](std::int64_t i, float g) {
      mean[i] = beta1 * mean[i] + new_mean * g;
      square[i] = beta2 * square[i] + new_square * g * g;
      return rate * mean[i] / (std::sqrt(square[i]) / root_kept + epsilon);
    };
  });
}

Task make_adadelta(Network& network, Weights& weights) {
  want_state(weights, {0.0F, 0.0F});
  const model::Optimizer wanted = network.load().recipe.optimizer;
  float* square = weights.state[0].data();
  float* moved = weights.state[1].data();
  const float rho = as_float(wanted.rho);
  const float fresh = as_float(1.0 - wanted.rho);
  const float epsilon = as_float(wanted.epsilon);
  return task_of(network, weights, [=](const StepNumbers& numbers) {
    const float rate = numbers.rate;
    return [=](std::int64_t i, float g) {
      square[i] = rho * square[i] + fresh * g * g;
      const float d = std::sqrt(moved[i] + epsilon) / std::sqrt(square[i] + epsilon) * g;
      moved[i] = rho * moved[i] + fresh * d * d;
      return rate * d;
    };
  });
}

Task make_adagrad(Network& network, Weights& weights) {
  const model::Optimizer wanted = network.load().recipe.optimizer;
  want_state(weights, {as_float(wanted.initial_accumulator)});
  float* square = weights.state[0].data();
  const float epsilon = as_float(wanted.epsilon);
  return task_of(network, weights, [=](const StepNumbers& numbers) {
    const float rate = numbers.rate;
    return [=](std::int64_t i, float g) {
      square[i] += g * g;
      return rate * g / (std::sqrt(square[i]) + epsilon);
    };
  });
}

Task make_rmsprop(Network& network, Weights& weights) {
  const model::Optimizer wanted = network.load().recipe.optimizer;
  want_state(weights, {as_float(wanted.initial_accumulator), 0.0F});
  float* square = weights.state[0].data();
  float* mean = weights.state[1].data();
  float* velocity = weights.velocity.data();
  const float rho = as_float(wanted.rho);
  const float fresh = as_float(1.0 - wanted.rho);
  const bool is_inside = wanted.epsilon_place == model::EpsilonPlace::inside;
  const float within = is_inside ? as_float(wanted.epsilon) : 0.0F;
  const float beside = is_inside ? 0.0F : as_float(wanted.epsilon);
  const float centered = wanted.centered ? 1.0F : 0.0F;
  return task_of(network, weights, [=](const StepNumbers& numbers) {
    const float momentum = numbers.momentum;
    const float into = numbers.into_velocity();
    const float out_of = numbers.out_of_velocity();
    return [=](std::int64_t i, float g) {
      square[i] = rho * square[i] + fresh * g * g;
      mean[i] = rho * mean[i] + fresh * g;
      const float d = g / (std::sqrt(square[i] - centered * mean[i] * mean[i] + within) + beside);
      velocity[i] = momentum * velocity[i] + into * d;
      return out_of * velocity[i];
    };
  });
}

}  // namespace reference
