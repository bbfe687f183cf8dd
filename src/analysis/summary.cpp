#include "analysis/summary.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace dlbench::analysis {
namespace {

using record::OutcomeKind;
using Runs = std::vector<const record::Run*>;

// From worst to best: wrong results, then no result, then results that fall short, then "never tried".
constexpr std::array severity = {
    OutcomeKind::mismatch,    OutcomeKind::crash,         OutcomeKind::oom,
    OutcomeKind::timeout,     OutcomeKind::nan,           OutcomeKind::protocol,
    OutcomeKind::unverified,  OutcomeKind::unsteady,      OutcomeKind::not_converged,
    OutcomeKind::unsupported, OutcomeKind::not_installed, OutcomeKind::invalid,
    OutcomeKind::ok};

record::Outcome worst_outcome(const Runs& counting) {
  if (counting.empty()) {
    return {.kind = OutcomeKind::invalid, .reason = "no run stored"};
  }
  const auto place = [](const record::Run* run) {
    return std::find(severity.begin(), severity.end(), run->outcome.kind) - severity.begin();
  };
  return (*std::min_element(
              counting.begin(), counting.end(),
              [&place](const record::Run* a, const record::Run* b) { return place(a) < place(b); }))
      ->outcome;
}

Runs of_kinds(const Runs& runs, std::initializer_list<OutcomeKind> kinds) {
  Runs result;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(result), [&kinds](const record::Run* run) {
    return std::find(kinds.begin(), kinds.end(), run->outcome.kind) != kinds.end();
  });
  return result;
}

void fill_metrics(const Family& family, const Runs& measured, CaseSummary& summary) {
  std::set<std::string> ids;
  for (const record::Run* run : measured) {
    for (const record::Metric& metric : run->metrics) {
      ids.insert(metric.id);
    }
  }
  for (const std::string& id : ids) {
    std::vector<double> values;
    for (const record::Run* run : measured) {
      if (const std::optional<double> value = record::metric_of(*run, id)) {
        values.push_back(*value);
      }
    }
    if (const std::optional<double> median = stats::median(values)) {
      summary.medians[id] = *median;
    }
    if (const std::optional<stats::Interval> interval = stats::median_interval(values, 1.0 - family.alpha)) {
      summary.intervals[id] = *interval;
    }
  }
}

}  // namespace

CaseSummary summarise(const Family& family, const record::Case& measured_case, const CaseRuns& runs,
                      const Certificates& certificates) {
  CaseSummary summary;
  summary.measured_case = measured_case;
  for (const record::Run* run : runs.all()) {
    ++summary.outcome_counts[std::string(record::to_text(run->outcome.kind))];
  }
  const Runs counting = runs.counting();
  summary.outcome = worst_outcome(counting);
  Runs measured = of_kinds(counting, {OutcomeKind::ok});
  summary.run_count = static_cast<int>(measured.size());
  summary.invalid_count = runs.count(OutcomeKind::invalid);
  if (measured.empty()) {
    measured = of_kinds(counting, {OutcomeKind::mismatch, OutcomeKind::unverified, OutcomeKind::unsteady,
                                   OutcomeKind::not_converged});
  }
  fill_metrics(family, measured, summary);
  summary.certificate = worst_certificate(runs, certificates);
  return summary;
}

std::string ranking_obstacle(const Family& family, const CaseSummary& summary, const CaseRuns& runs,
                             const Certificates& certificates) {
  if (summary.measured_case.is_reference) {
    return "reference";
  }
  // One wrong result spoils the case: the other runs may be wrong where nobody looked.
  const bool mismatch = summary.certificate && summary.certificate->verdict == record::Verdict::mismatch;
  if (mismatch || runs.count(OutcomeKind::mismatch) > 0) {
    return "MISMATCH";
  }
  if (runs.all().empty()) {
    return "no run stored";
  }
  if (summary.run_count == 0) {
    return std::string(record::to_text(summary.outcome.kind));
  }
  if (!summary.certificate) {
    return "no certificate";
  }
  const bool any = std::any_of(runs.all().begin(), runs.all().end(), [&](const record::Run* run) {
    return is_rankable(family, *run, certificates, InvalidRuns::discard);
  });
  if (any) {
    return {};
  }
  const std::string obstacle = certificate_obstacle(family, *summary.certificate);
  return obstacle.empty() ? "no certificate" : obstacle;
}

}  // namespace dlbench::analysis
