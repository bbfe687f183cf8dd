#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "gate/compare.hpp"
#include "gate/deviations.hpp"
#include "gate/diagnosis.hpp"
#include "gate/gate.hpp"
#include "gate/limits.hpp"
#include "gate/masks.hpp"

namespace dlbench::gate {
namespace {

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

Finding examine_masks(const Experiment& experiment, const std::vector<Result>& repeats) {
  Finding finding;
  finding.checks = checks_of(experiment, mask_statistics(experiment, repeats));
  finding.passed = std::ranges::all_of(finding.checks, &record::Check::passed);
  return finding;
}

Finding examine(const Expectation& expectation, const std::vector<Result>& repeats) {
  if (expectation.experiment.quantity == Quantity::masks) {
    return examine_masks(expectation.experiment, repeats);
  }
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
    if (!passed()) {
      admit_rounding(declared);
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
    bool repeatable = true;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const std::vector<Result>& repeats = results_[i];
      repeatable =
          repeatable &&
          (draws(plan_.expectations[i].experiment.quantity) ||
           std::ranges::all_of(repeats, [&](const Result& r) { return same_bits(r, repeats.front()); }));
    }
    if (!repeatable) {
      certificate_.notes.emplace_back("nondeterministic");
    }
  }

  // What failed is judged again by the declared formulas, with the same limits.
  void admit_deviations(const std::vector<std::string>& declared) {
    const oracle::Arithmetic together = arithmetic_of(declared);
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const auto deviating =
          findings_[i].passed ? std::nullopt : by_formulas(plan_.expectations[i], together);
      if (!deviating) {
        continue;
      }
      Finding finding = examine(*deviating, results_[i]);
      if (finding.passed) {
        findings_[i] = std::move(finding);
        name_deviations(plan_.expectations[i], declared);
      }
    }
  }

  // What still fails is judged by wider limits, if those were declared. A fault must show by as much more.
  void admit_rounding(const std::vector<std::string>& declared) {
    const double factor = limit_factor_of(declared);
    if (factor == 1.0) {
      return;
    }
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      if (findings_[i].passed) {
        continue;
      }
      const Result& worst = results_[i][findings_[i].worst_repeat];
      const auto deviating = if_nearer(plan_.expectations[i], arithmetic_of(declared), worst);
      Finding finding = examine(widened(deviating.value_or(plan_.expectations[i]), factor), results_[i]);
      if (finding.passed) {
        findings_[i] = std::move(finding);
        if (deviating) {
          name_deviations(plan_.expectations[i], declared);
        }
      }
    }
    for (record::FaultEffect& fault : certificate_.faults) {
      fault.effect_over_limit /= factor;
      fault.provable = fault.provable && fault.effect_over_limit >= provable_effect;
    }
    name_wider_limits(declared);
  }

  static Expectation widened(Expectation expectation, double factor) {
    for (std::vector<double>* limits : {&expectation.tensor_limits, &expectation.loss_limits}) {
      for (double& limit : *limits) {
        limit *= factor;
      }
    }
    return expectation;
  }

  void name_wider_limits(const std::vector<std::string>& declared) {
    for (const std::string& name : declared) {
      if (const Deviation* deviation = find_deviation(name);
          deviation != nullptr && deviation->limit_factor != 1.0) {
        certificate_.deviations.push_back(name);
      }
    }
  }

  // Those of the declared formulas that this experiment can tell from the plain one. What passes only by them
  // needs one: where none shows by itself, the one that shows most.
  void name_deviations(const Expectation& expectation, const std::vector<std::string>& declared) {
    if (std::ranges::all_of(declared, [&](const std::string& name) {
          return is_named(name) || arithmetic_of({name}) == oracle::Arithmetic{};
        })) {
      return;
    }
    const std::string* strongest = nullptr;
    double strongest_effect = 0.0;
    for (const std::string& name : declared) {
      const auto alone = by_formulas(expectation, arithmetic_of({name}));
      const double effect = alone ? error_over_limit(expectation, alone->truth) : 0.0;
      if (effect > 1.0) {
        name_deviation(name);
      }
      if (effect > strongest_effect) {
        strongest = &name;
        strongest_effect = effect;
      }
    }
    if (strongest != nullptr) {
      name_deviation(*strongest);
    }
  }

  [[nodiscard]] bool is_named(const std::string& name) const {
    return std::ranges::count(certificate_.deviations, name) != 0;
  }

  void name_deviation(const std::string& name) {
    if (!is_named(name)) {
      certificate_.deviations.push_back(name);
    }
  }

  void admit_silent(const std::vector<std::string>& declared) {
    for (const std::string& name : declared) {
      const Deviation* deviation = find_deviation(name);
      if (deviation == nullptr) {
        certificate_.notes.push_back(
            fmt::format("declared deviation '{}' is not known and was not used", name));
      } else if (deviation->apply == nullptr && deviation->limit_factor == 1.0) {
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
    std::vector<Observation> seen;
    bool rounds_only = true;
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      seen.push_back({&results_[i][findings_[i].worst_repeat], &results_[i]});
      const Expectation expectation =
          if_nearer(plan_.expectations[i], declared, *seen.back().worst).value_or(plan_.expectations[i]);
      rounds_only = rounds_only && is_rounding(expectation, seen.back());
      if (!findings_[i].passed && certificate_.reason.empty()) {
        certificate_.reason = difference_in(expectation, seen.back());
      }
    }
    if (rounds_only) {
      certificate_.diagnosis = "coarse_rounding: the same formulas, but less exact than single precision";
      return;
    }
    certificate_.diagnosis = diagnose(plan_, seen);
    if (certificate_.diagnosis == "unknown" && declared != oracle::Arithmetic{}) {
      certificate_.diagnosis = diagnose(deviating_plan(declared), seen, declared);
    }
  }

  // The experiment by the declared formulas if the result is nearer to those than to the plain ones: what it
  // does not share with them is what is wrong.
  static std::optional<Expectation> if_nearer(const Expectation& plain, const oracle::Arithmetic& declared,
                                              const Result& seen) {
    auto deviating = by_formulas(plain, declared);
    if (deviating && error_over_limit(*deviating, seen) >= error_over_limit(plain, seen)) {
      deviating.reset();
    }
    return deviating;
  }

  static std::string difference_in(const Expectation& expectation, const Observation& seen) {
    const Experiment& experiment = expectation.experiment;
    return experiment.quantity == Quantity::masks
               ? first_difference(experiment, mask_statistics(experiment, *seen.repeats))
               : first_difference(expectation, distance_from_truth(expectation, *seen.worst));
  }

  [[nodiscard]] Plan deviating_plan(const oracle::Arithmetic& declared) const {
    Plan plan = plan_;
    for (Expectation& expectation : plan.expectations) {
      if (auto deviating = by_formulas(expectation, declared)) {
        expectation = std::move(*deviating);
      }
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
