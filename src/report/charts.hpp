// The charts of the page as data: what ECharts draws, and the table of the same numbers that stands below.
#pragma once

#include <string>
#include <vector>

#include "report/case_rows.hpp"
#include "report/report.hpp"

namespace dlbench::report {

struct ChartTable {
  struct Column {
    std::string title;
    bool is_number = false;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

struct Chart {
  std::string id;  // of the element; [a-z0-9-]
  std::string title;
  std::string unit;
  std::string note;  // how to read it
  int height_px = 300;
  std::string option_json;  // an ECharts option; pure data, no functions
  ChartTable table;
};

// Every run's step time per case with the interval of the median; one chart per group.
[[nodiscard]] std::vector<Chart> step_time_charts(const ReportInput& input, const std::vector<CaseRow>& rows);
// Paired ratios against the base with intervals and the margin band; none without a ratio.
[[nodiscard]] std::vector<Chart> ratio_charts(const ReportInput& input, const std::vector<CaseRow>& rows);
// Loss and accuracy of the convergence runs; none without such runs.
[[nodiscard]] std::vector<Chart> convergence_charts(const ReportInput& input,
                                                    const std::vector<CaseRow>& rows);

// All of the above, in reading order.
[[nodiscard]] std::vector<Chart> make_charts(const ReportInput& input, const std::vector<CaseRow>& rows);
// [{"id", "title", "unit", "option"}, …], safe inside a <script> element.
[[nodiscard]] std::string charts_json(const std::vector<Chart>& charts);

}  // namespace dlbench::report
