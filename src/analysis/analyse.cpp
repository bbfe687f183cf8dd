#include <fmt/format.h>

#include <algorithm>

#include "analysis/analysis.hpp"
#include "analysis/family.hpp"
#include "analysis/summary.hpp"
#include "analysis/verdicts.hpp"

namespace dlbench::analysis {
namespace {

constexpr const char* step_time = "step_time_ns";

std::string label_of(const record::Case& one) {
  return fmt::format("{}{} ({}, batch {}, {})", one.framework, one.version.empty() ? "" : " " + one.version,
                     one.model, one.batch, record::thread_text(one.threads));
}

bool is_named(const record::Case& one, const std::string& base) {
  return base == one.framework || base == one.framework + " " + one.version;
}

bool is_same_work(const record::Case& a, const record::Case& b) {
  return a.study_phase == b.study_phase && a.model == b.model && a.dataset == b.dataset &&
         a.batch == b.batch && a.threads == b.threads;
}

std::optional<double> share_of_reference(const Family& family, const CaseRuns& reference,
                                         const CaseRuns& runs, const Certificates& certificates) {
  const auto [theirs, ours] =
      paired_values(family, step_time, reference, runs, certificates, InvalidRuns::discard);
  std::vector<double> shares(ours.size());
  std::transform(theirs.begin(), theirs.end(), ours.begin(), shares.begin(),
                 [](double reference_ns, double this_ns) { return reference_ns / this_ns; });
  return stats::median(shares);
}

void fill_shares(const Family& family, const std::vector<CaseRuns>& runs, const Contestants& contestants,
                 const Certificates& certificates, std::vector<CaseSummary>& cases) {
  for (CaseSummary& summary : cases) {
    const record::Case& one = summary.measured_case;
    const auto reference = std::find_if(cases.begin(), cases.end(), [&one](const CaseSummary& other) {
      return other.measured_case.is_reference && is_same_work(other.measured_case, one);
    });
    const Contestant& contestant = contestants.at(one.id);
    if (one.is_reference || reference == cases.end() || !contestant.obstacle.empty()) {
      continue;
    }
    summary.share_of_reference = share_of_reference(
        family, runs[static_cast<std::size_t>(reference - cases.begin())], *contestant.runs, certificates);
  }
}

void fill_verdicts(const Family& family, const Contestants& contestants, const std::vector<Verdict>& judged,
                   std::vector<CaseSummary>& cases) {
  for (CaseSummary& summary : cases) {
    const std::string& id = summary.measured_case.id;
    const std::string& obstacle = contestants.at(id).obstacle;
    summary.is_base = !summary.measured_case.is_reference && is_named(summary.measured_case, family.base);
    for (std::size_t i = 0; i < family.pairs.size(); ++i) {
      summary.is_base = summary.is_base || family.pairs[i].second == id;
      if (family.pairs[i].first == id) {
        summary.verdict = judged[i];
      }
    }
    if (!summary.verdict.text.empty()) {
      continue;
    }
    if (summary.measured_case.is_reference) {
      summary.verdict.text = "reference";
    } else if (!obstacle.empty()) {
      summary.verdict.text = "not ranked: " + obstacle;
    } else {
      summary.verdict.text = summary.is_base ? "base" : "not in the family";
    }
  }
}

// Each outcome is said once per case; nothing that failed disappears behind a median.
void warn_of_failures(const std::vector<CaseSummary>& cases, std::vector<std::string>& warnings) {
  for (const CaseSummary& summary : cases) {
    int all = 0;
    std::string others;
    for (const auto& [name, count] : summary.outcome_counts) {
      all += count;
      if (name != "OK") {
        others += fmt::format("{}{} {}", others.empty() ? "" : ", ", count, name);
      }
    }
    if (!others.empty() && summary.run_count > 0) {
      warnings.push_back(fmt::format("{}: of {} runs {}", label_of(summary.measured_case), all, others));
    }
  }
}

std::vector<CaseRuns> sort_runs(const std::vector<record::Case>& cases,
                                const std::vector<record::Run>& runs) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    places.emplace(cases[i].id, i);
  }
  std::vector<CaseRuns> result(cases.size());
  for (const record::Run& run : runs) {
    const auto found = places.find(run.case_id);
    if (found != places.end()) {
      result[found->second].add(run);
    }
  }
  return result;
}

}  // namespace

Analysis analyse(const Family& family, const std::vector<record::Case>& cases,
                 const std::vector<record::Run>& runs,
                 const std::map<std::string, record::Certificate>& certificates) {
  check_family(family);
  check_no_reference(family, cases);
  Analysis analysis;
  analysis.family = family;
  const std::vector<CaseRuns> sorted = sort_runs(cases, runs);
  Contestants contestants;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    analysis.cases.push_back(summarise(family, cases[i], sorted[i], certificates));
    contestants[cases[i].id] = {
        .runs = &sorted[i],
        .obstacle = ranking_obstacle(family, analysis.cases.back(), sorted[i], certificates),
        .label = label_of(cases[i])};
  }
  const std::vector<Verdict> judged = judge_pairs(family, contestants, certificates, analysis.warnings);
  fill_verdicts(family, contestants, judged, analysis.cases);
  fill_shares(family, sorted, contestants, certificates, analysis.cases);
  warn_of_failures(analysis.cases, analysis.warnings);
  return analysis;
}

}  // namespace dlbench::analysis
