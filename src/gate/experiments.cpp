#include "gate/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "gate/limits.hpp"
#include "gate/stress.hpp"
#include "gate/verification_batch.hpp"

namespace dlbench::gate {
namespace {

// Sub-streams of stream `verification`.
constexpr std::uint64_t function_stream = 0;
constexpr std::uint64_t constant_stream = 1000;
constexpr std::uint64_t changing_stream = 2000;
constexpr std::uint64_t stress_stream = 3000;
constexpr std::uint64_t timed_stream = 4000;
constexpr std::uint64_t bias_streams = 1'000'000;
constexpr double largest_bias = 0.05;
constexpr double largest_change = 0.25;  // of a factor that starts at 1
constexpr double changing_gamma = 0.5;
constexpr std::int64_t changing_every = 2;
constexpr int timed_repeats = 3;
constexpr int largest_exponent = 120;  // 2^120 is still a float

// Where a parameter that starts at one number throughout is drawn from, so that a forgotten or misplaced one
// is seen: around 0, or around 1 where it is a factor.
struct Spread {
  double middle = 0.0;
  double width = largest_bias;
};

Spread spread_of(model::ParameterRole role) {
  const bool is_factor = role == model::ParameterRole::scale || role == model::ParameterRole::variance;
  return is_factor ? Spread{1.0, largest_change} : Spread{};
}

model::Weights certified_weights(const Work& work) {
  model::Weights weights = model::initial_weights(work.graph, work.recipe.initialiser);
  const std::vector<model::Parameter> parameters = model::parameters(work.graph);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (model::is_weight(parameters[i].role)) {
      continue;
    }
    const Spread spread = spread_of(parameters[i].role);
    const base::Random random(work.seed, base::Stream::verification, bias_streams + i);
    for (std::size_t j = 0; j < weights[i].values.size(); ++j) {
      weights[i].values[j] = static_cast<float>(
          spread.middle + spread.width * (2.0 * static_cast<double>(random.uniform(j)) - 1.0));
    }
  }
  return weights;
}

// The material's batch, nothing else filled in.
Experiment single(const Work& work, const Material& material, std::string id, Quantity quantity) {
  Experiment experiment;
  experiment.id = std::move(id);
  experiment.quantity = quantity;
  experiment.graph = work.graph;
  experiment.recipe = work.recipe;
  experiment.recipe.batch = material.batch.input.shape.at(0);
  experiment.weights = material.weights;
  experiment.batches = {material.batch};
  return experiment;
}

void set_rates(Experiment& experiment) {
  experiment.rates.clear();
  for (std::size_t i = 0; i < experiment.batches.size(); ++i) {
    experiment.rates.push_back(model::rate_at(experiment.recipe.rate, static_cast<std::int64_t>(i)));
  }
}

template <class Value>
double largest_magnitude(const std::vector<Value>& values) {
  double largest = 0.0;
  for (const Value value : values) {
    largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  return largest;
}

// Smallest r with 2^r * gradient >= dominance * weight, not negative.
int exponent_for(double gradient, double weight) {
  const double ratio = gradient_dominance * weight / gradient;
  return ratio <= 1.0 ? 0 : static_cast<int>(std::ceil(std::log2(ratio)));
}

// The exponent of the rate that one parameter's gradient needs to be read exactly.
struct Wanted {
  std::size_t parameter;
  int exponent;
  double gradient;  // its largest magnitude
};

// A gradient that is rounding alone needs no rate of its own: it goes with any.
std::vector<Wanted> wanted_exponents(const model::Weights& weights, const oracle::Evaluation& run) {
  std::vector<Wanted> wanted;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double gradient = largest_magnitude(run.gradients[i]);
    const bool is_zero = gradient <= round_off * run.gradient_scales[i];
    const int exponent = is_zero ? 0 : exponent_for(gradient, largest_magnitude(weights[i].values));
    wanted.push_back({i, std::min(exponent, largest_exponent), gradient});
  }
  return wanted;
}

// The largest rate that some parameter wants and that keeps every one of these steps finite.
int shared_exponent(const std::vector<Wanted>& wanted) {
  int exponent = 0;
  double gradient = 0.0;
  for (const Wanted& one : wanted) {
    exponent = std::max(exponent, one.exponent);
    gradient = std::max(gradient, one.gradient);
  }
  if (gradient == 0.0) {
    return exponent;
  }
  const int most = static_cast<int>(std::floor(std::log2(largest_step / gradient)));
  const int least = std::ranges::min(wanted, {}, &Wanted::exponent).exponent;
  return std::max(least, std::min(exponent, most));
}

// At the first verification batch; a gradient that is rounding alone counts as zero.
GradientSize gradient_size(const Work& work, const Material& material) {
  const oracle::Evaluation run =
      oracle::differentiate(work.graph, material.weights, material.batch, oracle::Precision::fp64);
  GradientSize size;
  double squares = 0.0;
  for (std::size_t i = 0; i < run.gradients.size(); ++i) {
    const double largest = largest_magnitude(run.gradients[i]);
    size.largest.push_back(largest <= round_off * run.gradient_scales[i] ? 0.0 : largest);
    for (const double value : run.gradients[i]) {
      squares += value * value;
    }
  }
  size.norm = std::sqrt(squares);
  return size;
}

Experiment gradient_step(const std::string& id, const Work& work, const Material& material,
                         const model::Batch& batch, int exponent) {
  Experiment experiment = single(work, material, id, Quantity::gradient);
  experiment.batches = {batch};
  experiment.recipe.batch = batch.input.shape.at(0);
  // Plain sgd, whatever the recipe trains with: its step is the gradient.
  experiment.recipe.optimizer = {.name = "sgd", .form = work.recipe.optimizer.form};
  experiment.recipe.clip = {};
  experiment.recipe.rate = {.policy = "fixed", .base = std::ldexp(1.0, exponent)};
  set_rates(experiment);
  return experiment;
}

// k steps on real samples under the recipe with another rate policy.
Experiment verification_steps(const Work& work, const Material& material, std::string id, std::int64_t k,
                              const model::RatePolicy& rate) {
  Experiment experiment = single(work, material, std::move(id), Quantity::delta);
  experiment.recipe.rate = rate;
  experiment.batches.clear();
  for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
    experiment.batches.push_back(first_rows(work.batches.at(i), material.rows));
  }
  set_rates(experiment);
  return experiment;
}

}  // namespace

Material gather_material(const Work& work, std::int64_t rows) {
  Material material;
  material.weights = certified_weights(work);
  material.rows = rows;
  material.raw = first_rows(work.batches.front(), rows);
  VerificationBatch chosen =
      choose_batch(work.graph, material.weights, material.raw, {work.seed, function_stream, most_candidates});
  material.margins = chosen.margins;
  material.batch = std::move(chosen.batch);
  return material;
}

Experiment logits_experiment(const Work& work, const Material& material) {
  return single(work, material, "function.logits", Quantity::logits);
}

Experiment order_experiment(const Work& work, const Material& material) {
  DLBENCH_ASSERT(!work.distant.empty(), "data.order needs distant batches");
  Experiment experiment = single(work, material, "data.order", Quantity::logits);
  experiment.positions = {0};
  const std::int64_t rows = experiment.recipe.batch;
  for (const DistantBatch& distant : work.distant) {
    experiment.positions.push_back(distant.position);
    experiment.batches.push_back(first_rows(distant.batch, rows));
    DLBENCH_ASSERT(experiment.batches.back().input.shape == experiment.batches.front().input.shape,
                   "row counts");
  }
  return experiment;
}

std::vector<GradientExperiment> gradient_experiments(const std::string& id, const Work& work,
                                                     const Material& material, const model::Batch& batch,
                                                     Norm norm) {
  const oracle::Evaluation run =
      oracle::differentiate(work.graph, material.weights, batch, oracle::Precision::fp64);
  std::vector<Wanted> wanted = wanted_exponents(material.weights, run);
  std::vector<GradientExperiment> result;
  while (!wanted.empty()) {
    const int exponent = shared_exponent(wanted);
    const std::string name = result.empty() ? id : fmt::format("{}.{}", id, result.size() + 1);
    GradientExperiment next{gradient_step(name, work, material, batch, exponent),
                            std::vector<bool>(material.weights.size(), false)};
    next.experiment.norm = norm;
    std::erase_if(wanted, [&](const Wanted& one) {
      const bool served = one.exponent <= exponent;
      next.judged[one.parameter] = served;
      return served;
    });
    result.push_back(std::move(next));
  }
  return result;
}

Experiment constant_steps(const Work& work, const Material& material, std::int64_t k) {
  Experiment experiment = verification_steps(work, material, "steps.constant", k,
                                             {.policy = "fixed", .base = work.recipe.rate.base});
  experiment.evaluates = true;
  choose_batches(experiment, {work.seed, constant_stream, step_candidates});
  return experiment;
}

Experiment changing_steps(const Work& work, const Material& material, std::int64_t k) {
  const model::RatePolicy rate = {.policy = "step",
                                  .base = work.recipe.rate.base,
                                  .gamma = changing_gamma,
                                  .every_steps = changing_every};
  Experiment experiment = verification_steps(work, material, "steps.changing", k, rate);
  choose_batches(experiment, {work.seed, changing_stream, step_candidates});
  return experiment;
}

Experiment stress_steps(const Work& work, const Material& material, std::int64_t k) {
  Experiment experiment = verification_steps(work, material, "steps.stress", k,
                                             {.policy = "fixed", .base = work.recipe.rate.base});
  experiment.recipe = stressed(experiment.recipe, gradient_size(work, material));
  experiment.evaluates = experiment.recipe.weight_ema.decay > 0.0;
  choose_batches(experiment, {work.seed, stress_stream, step_candidates});
  return experiment;
}

Experiment timed_steps(const Work& work, const Material& material, std::int64_t k, int candidates) {
  Experiment experiment = single(work, material, "timed.steps", Quantity::delta);
  experiment.recipe = work.recipe;
  experiment.batches.assign(work.batches.begin(), work.batches.begin() + k);
  experiment.repeats = timed_repeats;
  experiment.is_timed = true;
  set_rates(experiment);
  choose_batches(experiment, {work.seed, timed_stream, candidates});
  return experiment;
}

Experiment shortened(Experiment experiment, std::int64_t k) {
  experiment.batches.resize(static_cast<std::size_t>(k));
  experiment.rates.resize(static_cast<std::size_t>(k));
  return experiment;
}

}  // namespace dlbench::gate
