// One case's row: outcome, counts, medians, intervals. Internal to analysis.
#pragma once

#include "analysis/case_runs.hpp"

namespace dlbench::analysis {

// Everything but the verdict and the share of the reference.
[[nodiscard]] CaseSummary summarise(const Family& family, const record::Case& measured_case,
                                    const CaseRuns& runs, const Certificates& certificates);

// What keeps the whole case out of the ranking, "" when nothing does: "reference", "MISMATCH",
// "NOT_INSTALLED", …
[[nodiscard]] std::string ranking_obstacle(const Family& family, const CaseSummary& summary,
                                           const CaseRuns& runs, const Certificates& certificates);

}  // namespace dlbench::analysis
