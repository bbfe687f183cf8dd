// The words for the pairs of the family. Internal to analysis.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/case_runs.hpp"

namespace dlbench::analysis {

// What is known of one case before the pairs are judged.
struct Contestant {
  const CaseRuns* runs = nullptr;
  std::string obstacle;  // "" : may be ranked
  std::string label;     // for warnings
};

// Key: case id. A pair with an unknown case counts in the family with p = 1.
using Contestants = std::map<std::string, Contestant>;

// One verdict per pair, in the family's order; appends to `warnings` what a reader must know beside them.
[[nodiscard]] std::vector<Verdict> judge_pairs(const Family& family, const Contestants& contestants,
                                               const Certificates& certificates,
                                               std::vector<std::string>& warnings);

// The word for one tested pair, measuring.md section 5.
[[nodiscard]] Verdict choose_word(const Family& family, const stats::PairedRatio& ratio, double holm_p);

}  // namespace dlbench::analysis
