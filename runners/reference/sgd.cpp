#include "sgd.hpp"

#include <utility>

#include "update.hpp"

namespace reference {
namespace {

// One pass over values, velocity and gradient instead of one for each term of the formula. Padding of blocked
// layouts is zero in all three and stays zero.
void update(float* __restrict values, float* __restrict velocity, const float* __restrict gradient,
            std::int64_t count, const StepNumbers& numbers, float decay) {
  const float momentum = numbers.momentum;
  const float into = numbers.into_velocity();
  const float out_of = numbers.out_of_velocity();
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const float v = momentum * velocity[i] + into * (gradient[i] + decay * values[i]);
    velocity[i] = v;
    values[i] -= out_of * v;
  }
}

// The same where the matrix product has left momentum * velocity + into * gradient in the velocity.
void finish_update(float* __restrict values, float* __restrict velocity, std::int64_t count,
                   const StepNumbers& numbers, float decay) {
  const float out_of = numbers.out_of_velocity();
  if (decay == 0.0F) {
#pragma omp parallel for simd schedule(static)
    for (std::int64_t i = 0; i < count; ++i) {
      values[i] -= out_of * velocity[i];
    }
    return;
  }
  const float scaled_decay = numbers.into_velocity() * decay;
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const float v = velocity[i] + scaled_decay * values[i];
    velocity[i] = v;
    values[i] -= out_of * v;
  }
}

// Clipped or looking ahead: what the two loops above leave out.
Task make_general_sgd(Network& network, Weights& weights) {
  const auto& optimizer = network.load().recipe.optimizer;
  const float decay = decay_of(network, weights);
  const float limit = limit_of(network);
  const float ahead = optimizer.nesterov ? static_cast<float>(optimizer.momentum) : 0.0F;
  const float own = optimizer.nesterov ? 1.0F : 0.0F;
  Weights* w = &weights;
  const StepNumbers* numbers = &network.numbers();
  return {weights.parameter.name + ".update", [=] {
            float* velocity = w->velocity.data();
            const float momentum = numbers->momentum;
            const float into = numbers->into_velocity();
            const float out_of = numbers->out_of_velocity();
            move_weights(*w, *numbers, decay, limit, [=](std::int64_t i, float g) {
              const float v = momentum * velocity[i] + into * g;
              velocity[i] = v;
              return out_of * (own > 0.0F ? into * g + ahead * v : v);
            });
          }};
}

Task make_sgd(Network& network, Weights& weights) {
  if (!may_fold_velocity(network.load().recipe)) {
    return make_general_sgd(network, weights);
  }
  const float decay = decay_of(network, weights);
  const auto count = static_cast<std::int64_t>(weights.buffer_count());
  Weights* w = &weights;
  const StepNumbers* numbers = &network.numbers();
  const std::string name = weights.parameter.name + ".update";
  if (weights.velocity_in_product) {
    return {name, [=] { finish_update(w->values.data(), w->velocity.data(), count, *numbers, decay); }};
  }
  return {name,
          [=] { update(w->values.data(), w->velocity.data(), w->gradient.data(), count, *numbers, decay); }};
}

// In double: the order of the additions must not show.
double sum_of_squares(const float* values, std::int64_t count) {
  double sum = 0.0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
  for (std::int64_t i = 0; i < count; ++i) {
    sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  }
  return sum;
}

}  // namespace

bool may_fold_velocity(const dlbench::model::Recipe& recipe) {
  return recipe.optimizer.name == "sgd" && !recipe.optimizer.nesterov &&
         recipe.clip.by == dlbench::model::ClipBy::none;
}

const dlbench::sdk::Table<MakeUpdate>& optimizers() {
  static const dlbench::sdk::Table<MakeUpdate> table("optimizer", {{"sgd", make_sgd},
                                                                   {"adadelta", make_adadelta},
                                                                   {"adagrad", make_adagrad},
                                                                   {"adam", make_adam},
                                                                   {"rmsprop", make_rmsprop}});
  return table;
}

std::vector<std::string> optimizer_names() {
  std::vector<std::string> names = optimizers().names();
  names.insert(names.end(), {"nesterov", "clip=element", "clip=global_norm", "weight_ema"});
  return names;
}

Task make_update(Network& network, Weights& weights) {
  const dlbench::model::Recipe& recipe = network.load().recipe;
  Task update = optimizers().at(recipe.optimizer.name)(network, weights);
  if (recipe.clip.by != dlbench::model::ClipBy::global_norm) {
    return update;
  }
  network.put_off(std::move(update));
  const Weights* w = &weights;
  StepNumbers* numbers = &network.numbers();
  const auto count = static_cast<std::int64_t>(weights.buffer_count());
  return {weights.parameter.name + ".norm",
          [=] { numbers->gradient_squares += sum_of_squares(w->gradient.data(), count); }};
}

}  // namespace reference
