#include "host/timed_truth.hpp"

#include <algorithm>

#include "gate/deviations.hpp"

namespace dlbench::host {
namespace {

// With the limit that it broke.
std::optional<record::Check> first_beyond(const gate::Expectation& expectation, const gate::Result& seen,
                                          double limit_factor) {
  for (record::Check& check : gate::compare(expectation, seen)) {
    check.limit *= limit_factor;
    if (!(check.error <= check.limit)) {
      return std::move(check);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<record::Check> TimedTruth::first_failing(const gate::Result& seen,
                                                       const std::vector<std::string>& declared,
                                                       double limit_factor) {
  const auto plain = first_beyond(plain_, seen, limit_factor);
  const gate::Expectation* deviating = plain ? by(declared) : nullptr;
  return deviating == nullptr ? plain : first_beyond(*deviating, seen, limit_factor);
}

const gate::Expectation* TimedTruth::by(const std::vector<std::string>& declared) {
  const oracle::Arithmetic formulas = gate::arithmetic_of(declared);
  auto known = std::ranges::find(deviating_, formulas, [](const auto& entry) { return entry.first; });
  if (known == deviating_.end()) {
    auto made = gate::by_formulas(plain_, formulas);
    if (!made) {
      return nullptr;
    }
    known = deviating_.insert(deviating_.end(), {formulas, std::move(*made)});
  }
  return &known->second;
}

}  // namespace dlbench::host
