// Checks of a family. Internal to analysis.
#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.hpp"

namespace dlbench::analysis {

// Throws base::UserError: unknown metric, alpha or margin out of range, a pair of a case with itself, a case
// compared twice.
void check_family(const Family& family);
// Throws base::UserError when the yardstick is part of a pair.
void check_no_reference(const Family& family, const std::vector<record::Case>& cases);

}  // namespace dlbench::analysis
