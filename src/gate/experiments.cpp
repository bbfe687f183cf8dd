#include "gate/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "gate/limits.hpp"
#include "gate/verification_batch.hpp"

namespace dlbench::gate {
namespace {

// Sub-streams of stream `verification`: candidates of the first batch take 0 … 31.
constexpr std::uint64_t later_batches = 1000;
constexpr std::uint64_t timed_batches = 2000;
constexpr std::uint64_t bias_streams = 1'000'000;
constexpr double largest_bias = 0.05;
constexpr double stress_decay = 0.1;
constexpr double changing_gamma = 0.5;
constexpr std::int64_t changing_every = 2;
constexpr int timed_repeats = 3;
constexpr int largest_exponent = 120;  // 2^120 is still a float

// Biases start at zero, where a forgotten or misplaced bias cannot be seen.
model::Weights certified_weights(const Work& work) {
  model::Weights weights = model::initial_weights(work.graph, work.recipe.initialiser);
  const std::vector<model::Parameter> parameters = model::parameters(work.graph);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (parameters[i].role != model::ParameterRole::bias) {
      continue;
    }
    const base::Random random(work.seed, base::Stream::verification, bias_streams + i);
    for (std::size_t j = 0; j < weights[i].values.size(); ++j) {
      weights[i].values[j] =
          static_cast<float>(largest_bias * (2.0 * static_cast<double>(random.uniform(j)) - 1.0));
    }
  }
  return weights;
}

Experiment training(const Work& work, const Material& material, std::string id, std::int64_t k) {
  Experiment experiment;
  experiment.id = std::move(id);
  experiment.quantity = Quantity::delta;
  experiment.graph = work.graph;
  experiment.recipe = work.recipe;
  experiment.weights = material.weights;
  DLBENCH_ASSERT(k >= 1 && k <= static_cast<std::int64_t>(material.batches.size()), experiment.id);
  experiment.batches.assign(material.batches.begin(), material.batches.begin() + k);
  experiment.recipe.batch = experiment.batches.front().input.shape.at(0);
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

Experiment gradient_step(const std::string& id, const Work& work, const Material& material,
                         const model::Batch& batch, int exponent) {
  Experiment experiment = training(work, material, id, 1);
  experiment.quantity = Quantity::gradient;
  experiment.batches = {batch};
  experiment.recipe.batch = batch.input.shape.at(0);
  experiment.recipe.optimizer.momentum = 0.0;
  experiment.recipe.optimizer.weight_decay = 0.0;
  experiment.recipe.rate = {.policy = "fixed", .base = std::ldexp(1.0, exponent)};
  set_rates(experiment);
  return experiment;
}

}  // namespace

Material gather_material(const Work& work, std::int64_t rows) {
  Material material;
  material.weights = certified_weights(work);
  material.raw = first_rows(work.batches.front(), rows);
  VerificationBatch first =
      choose_batch(work.graph, material.weights, material.raw, work.seed, most_candidates);
  material.margins = first.margins;
  material.batches.push_back(std::move(first.batch));
  const std::size_t count = std::min(work.batches.size(), static_cast<std::size_t>(most_steps));
  for (std::size_t i = 1; i < count; ++i) {
    material.batches.push_back(with_noise(first_rows(work.batches[i], rows), work.seed, later_batches + i));
  }
  return material;
}

Experiment logits_experiment(const Work& work, const Material& material) {
  Experiment experiment = training(work, material, "function.logits", 1);
  experiment.quantity = Quantity::logits;
  return experiment;
}

Experiment order_experiment(const Work& work, const Material& material) {
  DLBENCH_ASSERT(!work.distant.empty(), "data.order needs distant batches");
  Experiment experiment = training(work, material, "data.order", 1);
  experiment.quantity = Quantity::logits;
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
                                                     const Material& material, const model::Batch& batch) {
  const oracle::Evaluation run =
      oracle::differentiate(work.graph, material.weights, batch, oracle::Precision::fp64);
  std::vector<Wanted> wanted = wanted_exponents(material.weights, run);
  std::vector<GradientExperiment> result;
  while (!wanted.empty()) {
    const int exponent = shared_exponent(wanted);
    const std::string name = result.empty() ? id : fmt::format("{}.{}", id, result.size() + 1);
    GradientExperiment next{gradient_step(name, work, material, batch, exponent),
                            std::vector<bool>(material.weights.size(), false)};
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
  Experiment experiment = training(work, material, "steps.constant", k);
  experiment.recipe.rate = {.policy = "fixed", .base = work.recipe.rate.base};
  set_rates(experiment);
  return experiment;
}

Experiment changing_steps(const Work& work, const Material& material, std::int64_t k) {
  Experiment experiment = training(work, material, "steps.changing", k);
  experiment.recipe.rate = {.policy = "step",
                            .base = work.recipe.rate.base,
                            .gamma = changing_gamma,
                            .every_steps = changing_every};
  set_rates(experiment);
  return experiment;
}

Experiment stress_steps(const Work& work, const Material& material, std::int64_t k) {
  Experiment experiment = constant_steps(work, material, k);
  experiment.id = "steps.stress";
  experiment.recipe.optimizer.weight_decay = stress_decay;
  return experiment;
}

Experiment timed_steps(const Work& work, const Material& material, std::int64_t k) {
  Experiment experiment = training(work, material, "timed.steps", k);
  for (std::size_t i = 0; i < experiment.batches.size(); ++i) {
    experiment.batches[i] = with_noise(work.batches[i], work.seed, timed_batches + i);
  }
  experiment.recipe = work.recipe;
  experiment.repeats = timed_repeats;
  set_rates(experiment);
  return experiment;
}

bool has_max_pool(const model::Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const model::Node& node) { return node.op == "max_pool"; });
}

}  // namespace dlbench::gate
