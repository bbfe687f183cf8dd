#include "gate/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/error.hpp"
#include "gate/limits.hpp"
#include "gate/masks.hpp"
#include "gate/top_one.hpp"

namespace dlbench::gate {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double largest_magnitude(const oracle::Values& values) {
  double largest = 0.0;
  for (const double value : values) {
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

// Two results that both left the range of numbers at this place agree there.
double distance_between(double truth, double seen) {
  if (!std::isfinite(seen)) {
    const bool agree = std::isnan(truth) == std::isnan(seen) && (std::isnan(truth) || truth == seen);
    return agree ? 0.0 : infinite;
  }
  return std::isfinite(truth) ? std::abs(seen - truth) : infinite;
}

Difference relative_difference(const oracle::Values& truth, const oracle::Values& seen, double denominator,
                               Norm norm) {
  if (truth.size() != seen.size()) {
    return {.error = infinite, .same_size = false};
  }
  Difference worst;
  double furthest = -1.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double distance = distance_between(truth[i], seen[i]);
    squares += distance * distance;
    if (distance > furthest) {
      furthest = distance;
      worst.index = i;
    }
  }
  worst.norm = std::sqrt(squares);
  if (truth.empty() || furthest == 0.0) {
    return worst;
  }
  worst.expected = truth[worst.index];
  worst.seen = seen[worst.index];
  const double distance = norm == Norm::largest ? furthest : worst.norm;
  worst.error = std::isfinite(denominator) ? distance / denominator : infinite;
  return worst;
}

std::vector<Difference> loss_differences(const std::vector<double>& truth, const std::vector<double>& seen) {
  std::vector<Difference> differences;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (i < seen.size()) {
      const double denominator = std::max(std::abs(truth[i]), smallest_loss_scale);
      differences.push_back(relative_difference({truth[i]}, {seen[i]}, denominator, Norm::largest));
    } else {
      differences.push_back({.error = infinite, .same_size = false});
    }
  }
  return differences;
}

record::Check worst_of(const Expectation& expectation, const std::string& quantity,
                       const std::vector<Difference>& differences, const std::vector<double>& limits,
                       const std::vector<std::string>& names) {
  record::Check check{expectation.experiment.id, quantity, "", 0.0, 0.0, true};
  double worst = -1.0;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const double ratio = std::isinf(limits[i]) ? -1.0 : differences[i].error / limits[i];
    if (ratio > worst) {
      worst = ratio;
      check.tensor = names[i];
      check.error = differences[i].error;
      check.limit = limits[i];
      check.passed = differences[i].error <= limits[i];
    }
  }
  return check;
}

std::vector<std::string> loss_names(std::size_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(fmt::format("loss of step {}", i + 1));
  }
  return names;
}

const char* name_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::logits:
      return "logits";
    case Quantity::gradient:
      return "gradient";
    case Quantity::delta:
      return "delta";
    case Quantity::replay:
      return "replay";
    case Quantity::masks:
      return "masks";
  }
  base::fail_assertion("known quantity", __FILE__, __LINE__, "");
}

std::string describe(const std::string& experiment, const std::string& name, const Difference& difference,
                     double limit) {
  if (!difference.same_size) {
    return fmt::format("{}: {} is missing or has another number of elements", experiment, name);
  }
  if (!std::isfinite(difference.seen)) {
    return fmt::format("{}: {}[{}] is not finite ({}), should be {:.9g}", experiment, name, difference.index,
                       difference.seen, difference.expected);
  }
  return fmt::format("{}: {}[{}] is {:.9g}, should be {:.9g} (error {:.2g}, limit {:.2g})", experiment, name,
                     difference.index, difference.seen, difference.expected, difference.error, limit);
}

std::string first_of(const std::string& experiment, const std::vector<std::string>& names,
                     const std::vector<Difference>& differences, const std::vector<double>& limits) {
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (!std::isinf(limits[i]) && !(differences[i].error <= limits[i])) {
      return describe(experiment, names[i], differences[i], limits[i]);
    }
  }
  return {};
}

// What was learnt is read as a gradient where the experiment is one step for that; a statistic is never
// learnt.
double factor_of(const Experiment& experiment, model::ParameterRole role) {
  const bool reads_gradient =
      experiment.quantity == Quantity::gradient || experiment.quantity == Quantity::replay;
  return reads_gradient && !model::is_statistic(role) ? -1.0 / experiment.rates.front() : 1.0;
}

oracle::Values judged(const Experiment& experiment, const oracle::Values& after, std::size_t parameter,
                      model::ParameterRole role) {
  const std::vector<float>& before = experiment.weights[parameter].values;
  if (after.size() != before.size()) {
    return after;  // another shape: only its size will be compared
  }
  oracle::Values values(after.size());
  const double factor = factor_of(experiment, role);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = factor * (after[i] - static_cast<double>(before[i]));
  }
  if (parameter < experiment.undetermined.size()) {
    for (const std::uint32_t i : experiment.undetermined[parameter]) {
      values[i] = std::isfinite(values[i]) ? 0.0 : values[i];  // what is no number is judged anywhere
    }
  }
  return values;
}

}  // namespace

std::vector<std::string> judged_names(const Experiment& experiment) {
  if (experiment.quantity == Quantity::logits) {
    return {model::logits_name(experiment.graph)};
  }
  std::vector<std::string> names;
  for (const model::Parameter& parameter : model::parameters(experiment.graph)) {
    names.push_back(parameter.name);
  }
  if (experiment.evaluates) {
    names.push_back(model::logits_name(experiment.graph) + " in evaluation mode");
  }
  return names;
}

std::vector<oracle::Values> judged_tensors(const Experiment& experiment, const Result& result) {
  std::vector<oracle::Values> tensors;
  if (experiment.quantity == Quantity::logits) {
    tensors.emplace_back();
    for (const oracle::Values& logits : result.logits) {
      tensors[0].insert(tensors[0].end(), logits.begin(), logits.end());
    }
    return tensors;
  }
  const std::size_t count = std::min(experiment.weights.size(), result.weights.size());
  const std::vector<model::Parameter> parameters = model::parameters(experiment.graph);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_known = i < parameters.size();  // tests leave the graph out
    tensors.push_back(judged(experiment, result.weights[i], i,
                             is_known ? parameters[i].role : model::ParameterRole::weight));
  }
  if (experiment.evaluates && !result.logits.empty()) {
    tensors.push_back(result.logits.front());
  }
  return tensors;
}

double own_rounding(std::size_t elements, double scale, Norm norm) {
  return norm == Norm::largest ? scale : scale * std::sqrt(static_cast<double>(elements));
}

double magnitude(const oracle::Values& truth, double scale, Norm norm) {
  double size = largest_magnitude(truth);
  if (norm == Norm::euclidean) {
    double squares = 0.0;
    for (const double value : truth) {
      squares += value * value;
    }
    size = std::sqrt(squares);
  }
  const double rounding = own_rounding(truth.size(), scale, norm);
  return size >= rounding ? size : rounding / round_off;
}

Difference difference(const oracle::Values& truth, const oracle::Values& seen, double scale, Norm norm) {
  return relative_difference(truth, seen, magnitude(truth, scale, norm), norm);
}

Distance measure_distance(const Experiment& experiment, const Result& truth,
                          const std::vector<double>& scales, const Result& seen) {
  const std::vector<oracle::Values> right = judged_tensors(experiment, truth);
  const std::vector<oracle::Values> values = judged_tensors(experiment, seen);
  DLBENCH_ASSERT(right.size() == scales.size(), experiment.id);
  Distance distance;
  for (std::size_t i = 0; i < right.size(); ++i) {
    distance.tensors.push_back(i < values.size() ? difference(right[i], values[i], scales[i], experiment.norm)
                                                 : Difference{.error = infinite, .same_size = false});
  }
  distance.losses = loss_differences(truth.losses, seen.losses);
  return distance;
}

double error_over_limit(const Expectation& expectation, const Distance& distance) {
  double worst = 0.0;
  const auto take = [&worst](const std::vector<Difference>& differences, const std::vector<double>& limits) {
    for (std::size_t i = 0; i < differences.size(); ++i) {
      worst = std::max(worst, std::isinf(limits[i]) ? 0.0 : differences[i].error / limits[i]);
    }
  };
  take(distance.losses, expectation.loss_limits);
  take(distance.tensors, expectation.tensor_limits);
  return worst;
}

Distance distance_from_truth(const Expectation& expectation, const Result& seen) {
  const Experiment& experiment = expectation.experiment;
  DLBENCH_ASSERT(experiment.quantity != Quantity::masks, experiment.id);
  const bool follows = experiment.quantity == Quantity::replay;
  return measure_distance(experiment, follows ? replayed(experiment, seen) : expectation.truth,
                          expectation.tensor_scales, seen);
}

double error_over_limit(const Expectation& expectation, const Result& seen) {
  return error_over_limit(expectation, distance_from_truth(expectation, seen));
}

std::string first_difference(const Expectation& expectation, const Distance& distance) {
  const std::string& id = expectation.experiment.id;
  std::string text =
      first_of(id, loss_names(distance.losses.size()), distance.losses, expectation.loss_limits);
  if (text.empty()) {
    text = first_of(id, judged_names(expectation.experiment), distance.tensors, expectation.tensor_limits);
  }
  return text;
}

std::vector<record::Check> compare(const Expectation& expectation, const Result& seen) {
  const Distance distance = distance_from_truth(expectation, seen);
  std::vector<record::Check> checks;
  if (!distance.losses.empty()) {
    checks.push_back(worst_of(expectation, "loss", distance.losses, expectation.loss_limits,
                              loss_names(distance.losses.size())));
  }
  checks.push_back(worst_of(expectation, name_of(expectation.experiment.quantity), distance.tensors,
                            expectation.tensor_limits, judged_names(expectation.experiment)));
  if (expectation.experiment.classifies) {
    const std::int64_t others = other_classes(expectation, seen);
    checks.push_back({expectation.experiment.id, "top-1", "samples of another class",
                      static_cast<double>(others), 0.0, others == 0});
  }
  return checks;
}

}  // namespace dlbench::gate
