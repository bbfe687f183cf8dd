#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "gate/compare.hpp"
#include "gate/diagnosis.hpp"
#include "gate/gate.hpp"

namespace dlbench::gate {
namespace {

// A deviation that a runner may declare. Without `apply` it has the same numbers as no deviation at all.
struct Deviation {
  std::string_view name;
  void (*apply)(oracle::Arithmetic&);
};

constexpr std::array deviations_known = {
    Deviation{"ties_all", [](oracle::Arithmetic& arithmetic) { arithmetic.ties_all = true; }},
    Deviation{"momentum=rate_inside", [](oracle::Arithmetic& arithmetic) { arithmetic.rate_inside = true; }},
    Deviation{"assisted", nullptr},
};

const Deviation* find_deviation(const std::string& name) {
  const auto* found = std::ranges::find(deviations_known, name, &Deviation::name);
  return found == deviations_known.end() ? nullptr : found;
}

// All formulas that were declared, together.
oracle::Arithmetic arithmetic_of(const std::vector<std::string>& declared) {
  oracle::Arithmetic arithmetic;
  for (const std::string& name : declared) {
    if (const Deviation* deviation = find_deviation(name);
        deviation != nullptr && deviation->apply != nullptr) {
      deviation->apply(arithmetic);
    }
  }
  return arithmetic;
}

bool same_bits(const std::vector<double>& left, const std::vector<double>& right) {
  return std::ranges::equal(left, right, [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  });
}

bool same_bits(const Result& left, const Result& right) {
  const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
    return same_bits(a, b);
  };
  return same_bits(left.losses, right.losses) && std::ranges::equal(left.logits, right.logits, same) &&
         std::ranges::equal(left.weights, right.weights, same);
}

// One expectation against all repeats of the runner.
struct Finding {
  std::vector<record::Check> checks;  // the worst repeat's
  std::size_t worst_repeat = 0;
  bool passed = true;
};

Finding examine(const Expectation& expectation, const std::vector<Result>& repeats) {
  Finding finding;
  double worst = -1.0;
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    const double ratio = error_over_limit(expectation, repeats[i]);
    if (ratio > worst) {
      worst = ratio;
      finding.worst_repeat = i;
    }
  }
  finding.checks = compare(expectation, repeats[finding.worst_repeat]);
  finding.passed = std::ranges::all_of(finding.checks, &record::Check::passed);
  return finding;
}

class Judge {
 public:
  Judge(const Plan& plan, const std::vector<std::vector<Result>>& results) : plan_(plan), results_(results) {
    DLBENCH_ASSERT(results.size() == plan.expectations.size(), "one list of results per expectation");
    for (std::size_t i = 0; i < results.size(); ++i) {
      DLBENCH_ASSERT(!results[i].empty(), plan.expectations[i].experiment.id);
      findings_.push_back(examine(plan.expectations[i], results[i]));
    }
  }

  record::Certificate certificate(const std::vector<std::string>& declared) {
    certificate_.faults = plan_.faults;
    certificate_.certified_steps = plan_.certified_steps;
    certificate_.notes = plan_.notes;
    note_repeats();
    if (!passed()) {
      admit_deviations(declared);
    }
    admit_silent(declared);
    decide(declared);
    for (const Finding& finding : findings_) {
      std::ranges::copy(finding.checks, std::back_inserter(certificate_.checks));
    }
    return std::move(certificate_);
  }

 private:
  [[nodiscard]] bool passed() const { return std::ranges::all_of(findings_, &Finding::passed); }

  void note_repeats() {
    const bool repeatable = std::ranges::all_of(results_, [](const std::vector<Result>& repeats) {
      return std::ranges::all_of(repeats, [&](const Result& r) { return same_bits(r, repeats.front()); });
    });
    if (!repeatable) {
      certificate_.notes.emplace_back("nondeterministic");
    }
  }

  // What failed is judged again by the declared formulas, with the same limits.
  void admit_deviations(const std::vector<std::string>& declared) {
    const oracle::Arithmetic together = arithmetic_of(declared);
    if (together == oracle::Arithmetic{}) {
      return;
    }
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      if (findings_[i].passed) {
        continue;
      }
      Expectation deviating = plan_.expectations[i];
      deviating.truth = perform(deviating.experiment, oracle::Precision::fp64, together);
      Finding finding = examine(deviating, results_[i]);
      if (finding.passed) {
        findings_[i] = std::move(finding);
        name_deviations(plan_.expectations[i], declared);
      }
    }
  }

  // Those of the declared formulas that this experiment can tell from the plain one.
  void name_deviations(const Expectation& expectation, const std::vector<std::string>& declared) {
    for (const std::string& name : declared) {
      const Deviation* deviation = find_deviation(name);
      if (deviation == nullptr || deviation->apply == nullptr ||
          std::ranges::count(certificate_.deviations, name) != 0) {
        continue;
      }
      oracle::Arithmetic alone;
      deviation->apply(alone);
      const Result truth = perform(expectation.experiment, oracle::Precision::fp64, alone);
      if (error_over_limit(expectation, truth) > 1.0) {
        certificate_.deviations.push_back(name);
      }
    }
  }

  void admit_silent(const std::vector<std::string>& declared) {
    for (const std::string& name : declared) {
      const Deviation* deviation = find_deviation(name);
      if (deviation == nullptr) {
        certificate_.notes.push_back(
            fmt::format("declared deviation '{}' is not known and was not used", name));
      } else if (deviation->apply == nullptr) {
        certificate_.deviations.push_back(name);
      }
    }
  }

  void decide(const std::vector<std::string>& declared) {
    if (!passed()) {
      certificate_.verdict = record::Verdict::mismatch;
      explain(arithmetic_of(declared));
    } else if (!plan_.unverified_reason.empty()) {
      certificate_.verdict = record::Verdict::unverified;
      certificate_.reason = plan_.unverified_reason;
    } else {
      certificate_.verdict =
          certificate_.deviations.empty() ? record::Verdict::pass : record::Verdict::pass_with_deviations;
    }
  }

  void explain(const oracle::Arithmetic& declared) {
    std::vector<const Result*> worst;
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const Result& seen = results_[i][findings_[i].worst_repeat];
      worst.push_back(&seen);
      if (!findings_[i].passed && certificate_.reason.empty()) {
        const Expectation& expectation = plan_.expectations[i];
        certificate_.reason = first_difference(
            expectation,
            measure_distance(expectation.experiment, expectation.truth, expectation.tensor_scales, seen));
      }
    }
    certificate_.diagnosis = diagnose(plan_, worst);
    if (certificate_.diagnosis == "unknown" && declared != oracle::Arithmetic{}) {
      certificate_.diagnosis = diagnose(deviating_plan(declared), worst, declared);
    }
  }

  [[nodiscard]] Plan deviating_plan(const oracle::Arithmetic& declared) const {
    Plan plan = plan_;
    for (Expectation& expectation : plan.expectations) {
      expectation.truth = perform(expectation.experiment, oracle::Precision::fp64, declared);
    }
    return plan;
  }

  const Plan& plan_;
  const std::vector<std::vector<Result>>& results_;
  std::vector<Finding> findings_;
  record::Certificate certificate_;
};

}  // namespace

record::Certificate judge(const Plan& plan, const std::vector<std::vector<Result>>& results,
                          const std::vector<std::string>& deviations) {
  return Judge(plan, results).certificate(deviations);
}

}  // namespace dlbench::gate
