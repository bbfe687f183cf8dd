// Simulated runners: single precision, correct or with one fault.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "gate/compare.hpp"
#include "gate/gate.hpp"
#include "gate/masks.hpp"
#include "model/builder.hpp"

namespace dlbench::gate::testing {

using Results = std::vector<std::vector<Result>>;

// A network with all that LeNet has (convolutions, poolings, dense layers, relu), a hundred times smaller.
inline model::Graph small_net() {
  using model::count;
  using model::extents;
  return model::Builder("small_net", {1, 12, 12})
      .add("conv1", "conv2d", {{"out_channels", count(6)}, {"kernel", extents({3, 3})}})
      .add("pool1", "max_pool", {{"kernel", extents({2, 2})}, {"stride", extents({2, 2})}})
      .add("flat", "flatten")
      .add("ip1", "dense", {{"out_features", count(24)}})
      .add("relu1", "relu")
      .add("ip2", "dense", {{"out_features", count(5)}})
      .finish();
}

inline oracle::Arithmetic rounding(std::uint64_t variation, oracle::Arithmetic arithmetic = {}) {
  arithmetic.rounding.variation = variation;
  return arithmetic;
}

inline oracle::Arithmetic ties_all() {
  oracle::Arithmetic arithmetic;
  arithmetic.ties_all = true;
  return arithmetic;
}

inline oracle::Arithmetic rate_inside() {
  oracle::Arithmetic arithmetic;
  arithmetic.rate_inside = true;
  return arithmetic;
}

// What a framework of single precision with this arithmetic answers.
inline Results run(const Plan& plan, const oracle::Arithmetic& arithmetic) {
  Results results;
  for (const Expectation& expectation : plan.expectations) {
    results.push_back(perform_repeats(expectation.experiment, oracle::Precision::fp32, arithmetic));
  }
  return results;
}

// The same where the fault applies.
inline Results run_with(const Plan& plan, const Fault& fault, std::uint64_t variation) {
  Results results;
  for (const Expectation& expectation : plan.expectations) {
    FaultyWork work{expectation.experiment, {}};
    if (auto faulty = fault.apply(expectation.experiment)) {
      work = std::move(*faulty);
    }
    results.push_back(
        perform_repeats(work.experiment, oracle::Precision::fp32, rounding(variation, work.arithmetic)));
  }
  return results;
}

inline double worst_error_over_limit(const Plan& plan, const Results& results) {
  double worst = 0.0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Expectation& expectation = plan.expectations[i];
    worst = std::max(worst, expectation.experiment.quantity == Quantity::masks
                                ? error_over_limit(mask_statistics(expectation.experiment, results[i]))
                                : error_over_limit(expectation, results[i].front()));
  }
  return worst;
}

inline const Fault& fault(const std::string& id) {
  return *std::ranges::find(builtin_faults(), id, &Fault::id);
}

inline const record::FaultEffect& effect(const std::vector<record::FaultEffect>& effects,
                                         const std::string& id) {
  return *std::ranges::find(effects, id, &record::FaultEffect::fault);
}

inline const Expectation& expectation(const Plan& plan, const std::string& id) {
  return *std::ranges::find_if(plan.expectations,
                               [&](const Expectation& e) { return e.experiment.id == id; });
}

}  // namespace dlbench::gate::testing
