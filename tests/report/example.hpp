// A study made by hand: every kind of row, verdict and outcome that a report must show. No number is
// measured.
#pragma once

#include <string>

#include "report/report.hpp"

namespace dlbench::report::example {

// `blocks` changes how many runs there are, not the summaries. With `curve_length` > 0 the convergence runs
// have a loss curve of that many values.
[[nodiscard]] ReportInput study(int blocks, int curve_length);

// The same with `text` in every field that comes from a study, a runner, a file or a machine.
[[nodiscard]] ReportInput hostile_study(const std::string& text);

// Markup, quotes, both ends of a script element, control characters, a terminal escape, invalid UTF-8,
// U+2028, a direction switch, a spreadsheet formula.
[[nodiscard]] std::string hostile_text();

}  // namespace dlbench::report::example
