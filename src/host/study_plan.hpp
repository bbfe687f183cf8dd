// A study made concrete for this machine and these installed frameworks: ordered cases and the family of
// comparisons, fixed before the first run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/analysis.hpp"
#include "host/runner.hpp"
#include "host/workload.hpp"
#include "record/run.hpp"
#include "study/study.hpp"

namespace dlbench::host {

struct PlannedCase {
  record::Case measured_case;
  std::size_t runner = 0;  // index into StudyPlan::runners
};

struct StudyPlan {
  study::Study study;
  Machine machine;
  Workload workload;
  std::vector<Runner> runners;           // in study order, installed or not
  std::vector<PlannedCase> throughput;   // one run per block each
  std::vector<PlannedCase> convergence;  // one run each
  analysis::Family family;
  std::string id;  // hash of study text, cases and family
};

// Loads the data, resolves frameworks and threads. Throws base::UserError; also when the family cannot be
// decided with so few blocks, unless `allow_weak`.
[[nodiscard]] StudyPlan make_study_plan(const study::Study& study, const frameworks::Places& places,
                                        bool allow_weak);

// Order of the cases in one block: a random permutation, a pure function of (seed, block).
[[nodiscard]] std::vector<std::uint32_t> block_order(std::uint64_t seed, int block, std::size_t case_count);

// Rough seconds of all runs that the plan asks for: windows plus a start allowance; for `plan` and the first
// estimate.
[[nodiscard]] double estimated_seconds(const StudyPlan& plan);

}  // namespace dlbench::host
