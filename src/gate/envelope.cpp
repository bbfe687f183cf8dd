#include "gate/envelope.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "gate/compare.hpp"
#include "gate/limits.hpp"
#include "gate/parallel.hpp"

namespace dlbench::gate {
namespace {

// What storing weights as floats over some steps does to a tensor whose largest change is one scale, times
// the wider factor. A limit that this explains is no chaos, and a shorter run would only make it worse.
constexpr double storage_units = 64.0;

double largest_magnitude(const std::vector<float>& values) {
  float largest = 0.0F;
  for (const float value : values) {
    largest = std::max(largest, std::abs(value));
  }
  return static_cast<double>(largest);
}

void expect_logits(Expectation& expectation) {
  double scale = 0.0;
  const Experiment& experiment = expectation.experiment;
  for (const model::Batch& batch : experiment.batches) {
    oracle::Evaluation run =
        oracle::infer(experiment.graph, experiment.weights, batch, oracle::Precision::fp64);
    expectation.truth.logits.push_back(std::move(run.logits));
    scale = std::max(scale, run.logits_scale);
  }
  expectation.tensor_scales = {round_off * scale};
}

// The gradient is read through the weights, so their own rounding is part of the scale: without it a
// parameter with gradient zero would be judged to a precision that no float has.
std::vector<double> gradient_scales(const Experiment& experiment) {
  const oracle::Evaluation run = oracle::differentiate(experiment.graph, experiment.weights,
                                                       experiment.batches.front(), oracle::Precision::fp64);
  std::vector<double> scales;
  for (std::size_t i = 0; i < experiment.weights.size(); ++i) {
    const double read = largest_magnitude(experiment.weights[i].values) / experiment.rates.front();
    scales.push_back(round_off * std::max(run.gradient_scales[i], read));
  }
  return scales;
}

void expect_training(Expectation& expectation) {
  const Experiment& experiment = expectation.experiment;
  oracle::Trajectory run = oracle::train(experiment.graph, experiment.recipe, experiment.weights,
                                         experiment.batches, experiment.rates, oracle::Precision::fp64);
  expectation.truth.losses = std::move(run.losses);
  expectation.truth.weights = std::move(run.weights);
  if (experiment.quantity == Quantity::gradient) {
    expectation.tensor_scales = gradient_scales(experiment);
    return;
  }
  for (std::size_t i = 0; i < experiment.weights.size(); ++i) {
    expectation.tensor_scales.push_back(
        round_off * std::max(run.delta_scales[i], largest_magnitude(experiment.weights[i].values)));
  }
}

std::vector<double> errors_of(const std::vector<Difference>& differences) {
  std::vector<double> errors;
  errors.reserve(differences.size());
  for (const Difference& difference : differences) {
    errors.push_back(difference.error);
  }
  return errors;
}

void raise(std::vector<double>& largest, const std::vector<double>& values) {
  largest.resize(values.size(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    largest[i] = std::max(largest[i], values[i]);
  }
}

}  // namespace

Expectation expect(Experiment experiment) {
  Expectation expectation;
  expectation.experiment = std::move(experiment);
  if (expectation.experiment.quantity == Quantity::logits) {
    expect_logits(expectation);
  } else {
    DLBENCH_ASSERT(!expectation.experiment.rates.empty(), expectation.experiment.id);
    expect_training(expectation);
  }
  return expectation;
}

Envelope measure_envelope(const Expectation& expectation, int evaluations) {
  const Experiment& experiment = expectation.experiment;
  std::vector<Distance> distances(static_cast<std::size_t>(evaluations));
  for_each_index(distances.size(), [&](std::size_t variation) {
    oracle::Arithmetic arithmetic;
    arithmetic.rounding.variation = variation;
    distances[variation] = measure_distance(experiment, expectation.truth, expectation.tensor_scales,
                                            perform(experiment, oracle::Precision::fp32, arithmetic));
  });
  Envelope envelope;
  for (const Distance& distance : distances) {
    raise(envelope.tensors, errors_of(distance.tensors));
    raise(envelope.losses, errors_of(distance.losses));
  }
  return envelope;
}

void set_limits(Expectation& expectation, const Envelope& envelope, double factor, double floor_scale) {
  const double floor = floor_units * round_off * floor_scale;
  const auto limits = [&](const std::vector<double>& errors) {
    std::vector<double> result;
    result.reserve(errors.size());
    for (const double error : errors) {
      result.push_back(std::max(error * factor, floor));
    }
    return result;
  };
  expectation.tensor_limits = limits(envelope.tensors);
  expectation.loss_limits = limits(envelope.losses);
}

bool is_chaotic(const Expectation& expectation) {
  if (std::ranges::any_of(expectation.loss_limits, [](double limit) { return limit >= chaos_limit; })) {
    return true;
  }
  const std::vector<oracle::Values> truth = judged_tensors(expectation.experiment, expectation.truth);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    double magnitude = expectation.tensor_scales[i];
    for (const double value : truth[i]) {
      magnitude = std::max(magnitude, std::abs(value));
    }
    const double explained = storage_units * expectation.tensor_scales[i];
    if (expectation.tensor_limits[i] * magnitude >= std::max(chaos_limit * magnitude, explained)) {
      return true;
    }
  }
  return false;
}

}  // namespace dlbench::gate
