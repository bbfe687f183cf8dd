// From a workspace to what is shown: the table on stdout and the files in reports/.
#pragma once

#include <string>

#include "report/report.hpp"
#include "store/store.hpp"

namespace dlbench::app {

// The newest study of the workspace, or the one whose id starts with `study_id`. Throws base::UserError when
// there is none.
[[nodiscard]] report::ReportInput load_report(const store::Store& store, const std::string& study_id = {});

struct ReportFiles {
  std::string html, csv, json;
};
[[nodiscard]] ReportFiles write_reports(const report::ReportInput& input, const std::string& workspace);

// The built-in networks, a line each, on stdout.
void print_models();

// Width of the terminal on stdout, or 120 when it is none.
[[nodiscard]] int terminal_width_columns();

}  // namespace dlbench::app
