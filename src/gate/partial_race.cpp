#include "gate/partial_race.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "gate/compare.hpp"
#include "gate/explained.hpp"

namespace dlbench::gate {
namespace {

using Parameters = std::vector<std::size_t>;

bool is_right(const Expectation& expectation, const Result& seen) {
  return error_over_limit(expectation, seen) <= 1.0;
}

// How many of the step's gradients come out as seen when these weights race.
std::size_t count_explained(const Expectation& right, const Parameters& racing, const Result& seen,
                            oracle::Arithmetic arithmetic) {
  arithmetic.weight_race = !racing.empty();
  arithmetic.racing_parameters = racing;
  const Result raced = perform(right.experiment, oracle::Precision::fp64, arithmetic);
  const Distance effect = measure_distance(right.experiment, right.truth, right.tensor_scales, raced);
  const Distance rest = measure_distance(right.experiment, raced, right.tensor_scales, seen);
  std::size_t count = 0;
  for (std::size_t i = 0; i < rest.tensors.size(); ++i) {
    count += is_explained(effect.tensors[i], rest.tensors[i], right.tensor_limits[i]);
  }
  return count;
}

// A race disturbs only what lies below it, so the weights are tried from the top down and kept where more
// gradients are explained with them. nullopt: some gradient stays unexplained.
std::optional<Parameters> racing_weights(const Expectation& right, const Result& seen,
                                         const oracle::Arithmetic& declared) {
  const std::vector<model::Parameter> parameters = model::parameters(right.experiment.graph);
  Parameters racing;
  std::size_t explained = count_explained(right, racing, seen, declared);
  for (std::size_t i = parameters.size(); i-- > 1 && explained < parameters.size();) {
    if (!model::is_weight(parameters[i].role)) {
      continue;
    }
    Parameters more = racing;
    more.push_back(i);
    const std::size_t with_it = count_explained(right, more, seen, declared);
    if (with_it > explained) {
      explained = with_it;
      racing = std::move(more);
    }
  }
  return explained == parameters.size() ? std::optional(racing) : std::nullopt;
}

}  // namespace

std::optional<std::string> diagnose_partial_race(const Plan& plan, const std::vector<Observation>& seen,
                                                 const oracle::Arithmetic& declared) {
  std::set<std::size_t> racing;
  for (std::size_t i = 0; i < plan.expectations.size(); ++i) {
    const Expectation& expectation = plan.expectations[i];
    const Quantity quantity = expectation.experiment.quantity;
    const bool is_single = quantity == Quantity::logits || quantity == Quantity::gradient;
    if (!is_single || is_right(expectation, *seen[i].worst)) {
      continue;
    }
    const bool trains = quantity == Quantity::gradient;
    const auto found = trains ? racing_weights(expectation, *seen[i].worst, declared) : std::nullopt;
    if (!found) {
      return std::nullopt;
    }
    racing.insert(found->begin(), found->end());
  }
  if (racing.empty()) {
    return std::nullopt;
  }
  const std::vector<model::Parameter> parameters =
      model::parameters(plan.expectations.front().experiment.graph);
  std::vector<std::string> names;
  names.reserve(racing.size());
  for (const std::size_t i : racing) {
    names.push_back(parameters[i].name);
  }
  const bool is_one = names.size() == 1;
  return fmt::format("weight_race: {} {} updated before the gradient below {} is computed",
                     fmt::join(names, ", "), is_one ? "is" : "are", is_one ? "it" : "them");
}

}  // namespace dlbench::gate
