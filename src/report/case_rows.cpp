#include "report/case_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>

#include "report/text.hpp"

namespace dlbench::report {
namespace {

using analysis::CaseSummary;
using record::Case;

constexpr std::string_view convergence_phase = "convergence";

// Factors that have a place of their own in every table, or that only repeat one.
constexpr std::array<std::string_view, 11> shown_elsewhere = {
    "framework", "version",     "model",        "dataset", "batch", "threads",
    "phase",     "study_phase", "is_reference", "epochs",  "build"};

struct Differences {
  bool model = false;
  bool dataset = false;
  bool batch = false;
  std::vector<std::string> factors;
};

template <class Get>
bool differs(const std::vector<CaseSummary>& cases, Get get) {
  return std::any_of(cases.begin(), cases.end(), [&](const CaseSummary& summary) {
    return get(summary.measured_case) != get(cases.front().measured_case);
  });
}

std::string factor_of(const Case& measured_case, const std::string& name) {
  const auto found = measured_case.factors.find(name);
  return found == measured_case.factors.end() ? std::string() : found->second;
}

// A factor belongs in a label when two cases of one framework and phase differ in it: frameworks differ in
// their knobs anyway.
bool splits_a_framework(const std::vector<CaseSummary>& cases, const std::string& name) {
  std::map<std::string, std::string> seen;
  return std::any_of(cases.begin(), cases.end(), [&](const CaseSummary& summary) {
    const Case& one = summary.measured_case;
    const std::string key = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", one.study_phase, one.framework,
                                        one.version, one.model, one.dataset, one.batch, one.threads);
    const auto [place, inserted] = seen.emplace(key, factor_of(one, name));
    return !inserted && place->second != factor_of(one, name);
  });
}

Differences find_differences(const std::vector<CaseSummary>& cases) {
  Differences out;
  out.model = differs(cases, [](const Case& one) { return one.model; });
  out.dataset = differs(cases, [](const Case& one) { return one.dataset; });
  out.batch = differs(cases, [](const Case& one) { return one.batch; });
  std::set<std::string> names;
  for (const CaseSummary& summary : cases) {
    for (const auto& [name, value] : summary.measured_case.factors) {
      if (std::find(shown_elsewhere.begin(), shown_elsewhere.end(), name) == shown_elsewhere.end()) {
        names.insert(name);
      }
    }
  }
  std::copy_if(names.begin(), names.end(), std::back_inserter(out.factors),
               [&](const std::string& name) { return splits_a_framework(cases, name); });
  return out;
}

std::string label_of(const Case& one, const Differences& differences) {
  std::string label = one.framework;
  if (!one.version.empty()) {
    label += " " + one.version;
  }
  if (const std::string build = factor_of(one, "build"); !build.empty()) {
    label += " (" + build + ")";
  }
  for (const std::string& name : differences.factors) {
    label += fmt::format(" {}={}", name, factor_of(one, name));
  }
  return clean_text(label, Lines::join);
}

std::string group_of(const Case& one, const Differences& differences) {
  std::string group;
  if (differences.model) {
    group += one.model + ", ";
  }
  if (differences.dataset) {
    group += one.dataset + ", ";
  }
  if (differences.batch) {
    group += fmt::format("batch {}, ", one.batch);
  }
  return clean_text(group + record::thread_text(one.threads), Lines::join);
}

bool same_work(const Case& a, const Case& b) {
  return a.framework == b.framework && a.version == b.version && a.model == b.model &&
         a.dataset == b.dataset && a.batch == b.batch;
}

bool is_convergence(const CaseSummary& summary) {
  return summary.measured_case.study_phase == convergence_phase;
}

// The convergence case at the same thread count, else at another one.
void attach_convergence(CaseRow& row, const analysis::Analysis& analysis, const Differences& differences) {
  const Case& own = row.timed->measured_case;
  for (const CaseSummary& other : analysis.cases) {
    const bool same_factors =
        std::all_of(differences.factors.begin(), differences.factors.end(), [&](const std::string& name) {
          return factor_of(own, name) == factor_of(other.measured_case, name);
        });
    if (!is_convergence(other) || !same_work(own, other.measured_case) || !same_factors) {
      continue;
    }
    if (other.measured_case.threads == own.threads) {
      row.convergence = &other;
      row.accuracy_at_other_threads = false;
      return;
    }
    if (row.convergence == nullptr) {
      row.convergence = &other;
      row.accuracy_at_other_threads = true;
    }
  }
}

// Groups in the order in which they first appear, rows in theirs.
std::vector<CaseRow> grouped(std::vector<CaseRow> rows) {
  std::vector<std::string> groups;
  for (const CaseRow& row : rows) {
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end()) {
      groups.push_back(row.group);
    }
  }
  std::vector<CaseRow> out;
  for (const std::string& group : groups) {
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(out),
                 [&group](const CaseRow& row) { return row.group == group; });
  }
  return out;
}

}  // namespace

std::string marked(const std::string& label, const CaseSummary& summary) {
  const bool refused = summary.outcome.kind == record::OutcomeKind::mismatch ||
                       (summary.certificate && summary.certificate->verdict == record::Verdict::mismatch);
  return refused ? label + " [MISMATCH]" : label;
}

std::vector<CaseRow> case_rows(const analysis::Analysis& analysis) {
  const Differences differences = find_differences(analysis.cases);
  std::vector<CaseRow> rows;
  std::set<const CaseSummary*> used;
  for (const CaseSummary& summary : analysis.cases) {
    if (is_convergence(summary)) {
      continue;
    }
    CaseRow row;
    row.timed = &summary;
    attach_convergence(row, analysis, differences);
    used.insert(row.convergence);
    rows.push_back(std::move(row));
  }
  for (const CaseSummary& summary : analysis.cases) {
    if (is_convergence(summary) && !used.contains(&summary)) {
      rows.push_back(CaseRow{&summary, &summary, false, {}, {}});
    }
  }
  for (CaseRow& row : rows) {
    row.label = label_of(row.timed->measured_case, differences);
    row.group = group_of(row.timed->measured_case, differences);
  }
  return grouped(std::move(rows));
}

std::map<std::string, std::string> case_names(const analysis::Analysis& analysis) {
  const Differences differences = find_differences(analysis.cases);
  std::map<std::string, std::string> names;
  for (const CaseSummary& summary : analysis.cases) {
    const Case& one = summary.measured_case;
    names[one.id] = marked(label_of(one, differences) + ", " + group_of(one, differences) +
                               (is_convergence(summary) ? ", convergence" : ""),
                           summary);
  }
  return names;
}

std::optional<double> median_of(const CaseSummary& summary, const std::string& metric) {
  const auto found = summary.medians.find(metric);
  if (found == summary.medians.end() || !std::isfinite(found->second)) {
    return std::nullopt;
  }
  return found->second;
}

std::optional<stats::Interval> interval_of(const CaseSummary& summary, const std::string& metric) {
  const auto found = summary.intervals.find(metric);
  if (found == summary.intervals.end() || !std::isfinite(found->second.low) ||
      !std::isfinite(found->second.high)) {
    return std::nullopt;
  }
  return found->second;
}

std::string outcome_text(const CaseSummary& summary) {
  std::string text;
  const auto add = [&text](const std::string& name, int count) {
    text += fmt::format("{}{}\u00a0×{}", text.empty() ? "" : ", ", name, count);
  };
  const std::string ok(record::to_text(record::OutcomeKind::ok));
  if (const auto found = summary.outcome_counts.find(ok); found != summary.outcome_counts.end()) {
    add(ok, found->second);
  }
  for (const auto& [name, count] : summary.outcome_counts) {
    if (name != ok) {
      add(clean_text(name, Lines::join), count);
    }
  }
  return text.empty() ? std::string(record::to_text(summary.outcome.kind)) : text;
}

}  // namespace dlbench::report
