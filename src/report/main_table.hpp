// The one table that terminal and page share: column titles, cells, footnotes and the words below it.
#pragma once

#include <string>
#include <vector>

#include "report/case_rows.hpp"
#include "report/report.hpp"

namespace dlbench::report {

struct MainColumn {
  std::string title;
  bool is_number = false;
};

// `detail` is the interval or remark that belongs to `text`.
struct MainCell {
  std::string text;
  std::string detail;
};

struct MainRow {
  const CaseRow* row = nullptr;
  std::vector<MainCell> cells;  // as many as there are columns
};

struct MainTable {
  std::vector<CaseRow> rows;
  std::vector<MainColumn> columns;
  std::vector<MainRow> lines;  // point into rows
};

[[nodiscard]] MainTable main_table(const analysis::Analysis& analysis);

// "not ranked", "faster", …; the verdict's own text where it says more than its word.
[[nodiscard]] std::string verdict_text(const analysis::CaseSummary& summary);

// One line each, in reading order: what is not OK and why, footnotes of cells.
[[nodiscard]] std::vector<std::string> table_notes(const std::vector<CaseRow>& rows);
// "step time against libtorch: 8 pairs, margin 2 %, α = 0.05, Holm over the family, 7 blocks".
[[nodiscard]] std::string family_line(const analysis::Family& family);
[[nodiscard]] std::vector<std::string> overhead_lines(const std::vector<Overhead>& overheads);

struct LegendEntry {
  std::string word;
  std::string meaning;
};
// Only of words that occur in `rows`.
[[nodiscard]] std::vector<LegendEntry> verdict_legend(const std::vector<CaseRow>& rows,
                                                      const analysis::Family& family);

}  // namespace dlbench::report
