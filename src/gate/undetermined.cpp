#include "gate/undetermined.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "gate/compare.hpp"
#include "gate/limits.hpp"
#include "gate/parallel.hpp"

namespace dlbench::gate {
namespace {

// The first of the rounding variations used here; an envelope uses those from 0 on.
constexpr std::uint64_t first_variation = 1000;
constexpr double largest_share = 0.01;

// Per tensor and element, the largest difference from the truth over all evaluations.
std::vector<oracle::Values> largest_differences(const Expectation& expectation, int evaluations) {
  const Experiment& experiment = expectation.experiment;
  const std::vector<oracle::Values> truth = judged_tensors(experiment, expectation.truth);
  std::vector<oracle::Values> largest;
  largest.reserve(truth.size());
  for (const oracle::Values& values : truth) {
    largest.emplace_back(values.size());
  }
  std::mutex mutex;
  for_each_index(static_cast<std::size_t>(evaluations), [&](std::size_t i) {
    oracle::Arithmetic arithmetic;
    arithmetic.rounding.variation = first_variation + i;
    const std::vector<oracle::Values> seen =
        judged_tensors(experiment, perform(experiment, oracle::Precision::fp32, arithmetic));
    const std::scoped_lock lock(mutex);
    for (std::size_t t = 0; t < largest.size(); ++t) {
      for (std::size_t j = 0; j < largest[t].size(); ++j) {
        largest[t][j] = std::max(largest[t][j], std::abs(seen[t][j] - truth[t][j]));
      }
    }
  });
  return largest;
}

std::vector<std::uint32_t> elements_beyond(const oracle::Values& differences, double allowed) {
  std::vector<std::uint32_t> elements;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (!(differences[i] < allowed)) {
      elements.push_back(static_cast<std::uint32_t>(i));
    }
  }
  const double most = largest_share * static_cast<double>(differences.size());
  return static_cast<double>(elements.size()) <= most ? elements : std::vector<std::uint32_t>{};
}

}  // namespace

bool divides_by_gradient(const model::Recipe& recipe) {
  return recipe.optimizer.name != "sgd";
}

void find_undetermined(Expectation& expectation, int evaluations, double factor) {
  if (!divides_by_gradient(expectation.experiment.recipe)) {
    return;
  }
  const std::vector<oracle::Values> differences = largest_differences(expectation, evaluations);
  const std::vector<oracle::Values> truth = judged_tensors(expectation.experiment, expectation.truth);
  std::vector<std::vector<std::uint32_t>> undetermined;
  for (std::size_t i = 0; i < expectation.experiment.weights.size(); ++i) {
    double magnitude = expectation.tensor_scales[i];
    for (const double value : truth[i]) {
      magnitude = std::max(magnitude, std::abs(value));
    }
    undetermined.push_back(
        elements_beyond(differences[i], undetermined_share * chaos_limit / factor * magnitude));
  }
  expectation.experiment.undetermined = std::move(undetermined);
}

}  // namespace dlbench::gate
