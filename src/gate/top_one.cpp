#include "gate/top_one.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "gate/compare.hpp"

namespace dlbench::gate {
namespace {

struct Leader {
  std::size_t place = 0;
  double lead = 0.0;  // over the second
};

Leader leader_of(std::span<const double> row) {
  Leader leader{static_cast<std::size_t>(std::ranges::max_element(row) - row.begin()), INFINITY};
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i != leader.place) {
      leader.lead = std::min(leader.lead, row[leader.place] - row[i]);
    }
  }
  return leader;
}

}  // namespace

std::int64_t other_classes(const Expectation& expectation, const Result& seen) {
  const oracle::Values truth = judged_tensors(expectation.experiment, expectation.truth).front();
  const oracle::Values values = judged_tensors(expectation.experiment, seen).front();
  const auto classes = static_cast<std::size_t>(model::logits_shape(expectation.experiment.graph).back());
  if (truth.size() != values.size()) {
    return static_cast<std::int64_t>(truth.size() / classes);
  }
  // Each of two logits may be off by the limit.
  const double allowed = 2.0 * expectation.tensor_limits.front() *
                         magnitude(truth, expectation.tensor_scales.front(), expectation.experiment.norm);
  std::int64_t others = 0;
  for (std::size_t first = 0; first < truth.size(); first += classes) {
    const Leader right = leader_of(std::span(truth).subspan(first, classes));
    const std::span<const double> row = std::span(values).subspan(first, classes);
    // Not a number is no class.
    const bool same = std::ranges::all_of(row, [](double x) { return std::isfinite(x); }) &&
                      leader_of(row).place == right.place;
    others += !same && right.lead > allowed ? 1 : 0;
  }
  return others;
}

}  // namespace dlbench::gate
