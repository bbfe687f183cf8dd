#include "sgd.hpp"

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

Task make_sgd(Network& network, Weights& weights) {
  const auto& optimizer = network.load().recipe.optimizer;
  const bool decays = weights.parameter.role == dlbench::model::ParameterRole::weight || optimizer.decay_bias;
  const auto decay = static_cast<float>(decays ? optimizer.weight_decay : 0.0);
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

}  // namespace

const dlbench::sdk::Table<MakeUpdate>& optimizers() {
  static const dlbench::sdk::Table<MakeUpdate> table("optimizer", {{"sgd", make_sgd}});
  return table;
}

Task make_update(Network& network, Weights& weights) {
  return optimizers().at(network.load().recipe.optimizer.name)(network, weights);
}

}  // namespace reference
