// The rows of every main table: one per timed case, in study order, grouped by work and threads.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.hpp"

namespace dlbench::report {

// Points into the Analysis it was made from.
struct CaseRow {
  const analysis::CaseSummary* timed = nullptr;        // what the row is about; never null
  const analysis::CaseSummary* convergence = nullptr;  // where its accuracy comes from, when there is one
  bool accuracy_at_other_threads = false;
  std::string label;  // framework, version, and every factor that differs between cases beyond the group's
  std::string group;  // "1 thread", or "lenet, fashion-mnist, batch 64, 1 thread" where those differ
};

// A convergence case without a timed twin (same framework, version, model, data and batch) is a row of its
// own: no case is ever left out. Rows of a group stand together; groups and rows keep the study's order.
[[nodiscard]] std::vector<CaseRow> case_rows(const analysis::Analysis& analysis);

// Case id -> "libtorch 1.13.1, 1 thread" for every case, with the phase added for convergence cases.
[[nodiscard]] std::map<std::string, std::string> case_names(const analysis::Analysis& analysis);

// A MISMATCH case may have numbers; it carries that word in every table and chart.
[[nodiscard]] std::string marked(const std::string& label, const analysis::CaseSummary& summary);
[[nodiscard]] std::optional<double> median_of(const analysis::CaseSummary& summary,
                                              const std::string& metric);
[[nodiscard]] std::optional<stats::Interval> interval_of(const analysis::CaseSummary& summary,
                                                         const std::string& metric);
// "OK ×7", "OK ×6, INVALID ×1"; the worst outcome's name when nothing was counted.
[[nodiscard]] std::string outcome_text(const analysis::CaseSummary& summary);

}  // namespace dlbench::report
