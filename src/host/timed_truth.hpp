// What a timed object must still compute after its windows: the certified steps of the timed batch.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gate/gate.hpp"
#include "oracle/oracle.hpp"
#include "record/certificate.hpp"

namespace dlbench::host {

// By the recipe's own formulas or by those that a runner declared, as its certificate took them. The latter
// are computed when a run first needs them, which costs oracle time, and kept for the runs that follow.
class TimedTruth {
 public:
  explicit TimedTruth(gate::Expectation plain) : plain_(std::move(plain)) {}

  [[nodiscard]] const gate::Experiment& experiment() const { return plain_.experiment; }

  // The first check that fails by limits wider by the factor; nullopt: `seen` is right.
  [[nodiscard]] std::optional<record::Check> first_failing(const gate::Result& seen,
                                                           const std::vector<std::string>& declared,
                                                           double limit_factor);

 private:
  // nullptr: they have no formulas of their own.
  [[nodiscard]] const gate::Expectation* by(const std::vector<std::string>& declared);

  gate::Expectation plain_;
  std::vector<std::pair<oracle::Arithmetic, gate::Expectation>> deviating_;
};

}  // namespace dlbench::host
