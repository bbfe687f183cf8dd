#include "gate/envelope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
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
  const std::vector<model::Parameter> parameters = model::parameters(experiment.graph);
  std::vector<double> scales;
  for (std::size_t i = 0; i < experiment.weights.size(); ++i) {
    const double divisor = model::is_statistic(parameters[i].role) ? 1.0 : experiment.rates.front();
    const double read = largest_magnitude(experiment.weights[i].values) / divisor;
    scales.push_back(round_off * std::max(run.gradient_scales[i], read));
  }
  return scales;
}

void expect_training(Expectation& expectation) {
  const Experiment& experiment = expectation.experiment;
  oracle::Trajectory run =
      oracle::train(experiment.graph, experiment.recipe, experiment.weights, experiment.batches,
                    experiment.rates, oracle::Precision::fp64, {}, evaluated_batch(experiment));
  expectation.truth.losses = std::move(run.losses);
  expectation.truth.weights = std::move(run.weights);
  if (experiment.quantity != Quantity::delta) {
    expectation.tensor_scales = gradient_scales(experiment);
    return;
  }
  for (std::size_t i = 0; i < experiment.weights.size(); ++i) {
    expectation.tensor_scales.push_back(
        round_off * std::max(run.delta_scales[i], largest_magnitude(experiment.weights[i].values)));
  }
  if (experiment.evaluates) {
    expectation.tensor_scales.push_back(round_off * run.logits_scale);
    expectation.truth.logits.push_back(std::move(run.logits));
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

// Whether the limit of a tensor says so, beyond what storing its weights explains.
bool parts_from_truth(const Expectation& expectation, const oracle::Values& truth, std::size_t tensor) {
  const Norm norm = expectation.experiment.norm;
  const double allowed = norm == Norm::largest ? chaos_limit : euclidean_chaos_limit;
  const double scale = expectation.tensor_scales[tensor];
  // In units of the tensor's size: rounding of each of its elements by one scale.
  const double rounding = own_rounding(truth.size(), scale, norm) /
                          std::max(magnitude(truth, scale, norm), std::numeric_limits<double>::min());
  return expectation.tensor_limits[tensor] >= std::max(allowed, storage_units * rounding);
}

// Where near ties are left, a few evaluations that round otherwise may all decide one of them alike, and a
// framework another way: each evaluation decides them at random.
oracle::Rounding rounding_of(const Experiment& experiment, std::uint64_t variation) {
  oracle::Rounding rounding{.variation = variation};
  if (experiment.norm == Norm::euclidean) {
    rounding.relu_margin = relu_margin;
    rounding.pool_margin = pool_margin;
  }
  return rounding;
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
    arithmetic.rounding = rounding_of(experiment, variation);
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

Expectation expect_within(Experiment experiment, int evaluations, double factor) {
  Expectation expectation = expect(std::move(experiment));
  set_limits(expectation, measure_envelope(expectation, evaluations), factor);
  return expectation;
}

bool is_chaotic(const Expectation& expectation) {
  if (std::ranges::any_of(expectation.loss_limits, [](double limit) { return limit >= chaos_limit; })) {
    return true;
  }
  const std::vector<oracle::Values> truth = judged_tensors(expectation.experiment, expectation.truth);
  const std::vector<model::Parameter> parameters = model::parameters(expectation.experiment.graph);
  const bool is_euclidean = expectation.experiment.norm == Norm::euclidean;
  std::size_t counted = 0;
  std::size_t parted = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    // No flip reaches a running statistic: it would only outvote those that are learnt.
    const bool is_known = i < parameters.size();  // tests leave the graph out
    if (is_euclidean && is_known && model::is_statistic(parameters[i].role)) {
      continue;
    }
    ++counted;
    parted += parts_from_truth(expectation, truth[i], i);
  }
  return parted > (is_euclidean ? counted / 2 : 0);
}

std::optional<std::string> wide_limits_note(const Expectation& expectation) {
  const std::vector<double>& limits = expectation.tensor_limits;
  const auto judged = std::ranges::count_if(limits, [](double limit) { return std::isfinite(limit); });
  const auto wide = std::ranges::count_if(
      limits, [](double limit) { return std::isfinite(limit) && limit >= euclidean_chaos_limit; });
  if (wide == 0) {
    return std::nullopt;
  }
  return fmt::format("{}: {} of {} tensors have limits of {} or more", expectation.experiment.id, wide,
                     judged, euclidean_chaos_limit);
}

}  // namespace dlbench::gate
