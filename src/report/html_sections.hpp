// Private to src/report: the sections of the page, in the order of the page.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/charts.hpp"
#include "report/html_writer.hpp"
#include "report/main_table.hpp"
#include "report/report.hpp"

namespace dlbench::report {

// What every section reads; made once per page.
struct PageView {
  const ReportInput* input = nullptr;
  MainTable table;
  std::map<std::string, std::string> names;  // case id -> name
  std::vector<Chart> charts;
};

[[nodiscard]] const std::string& name_of(const PageView& view, const std::string& case_id);

// A table inside its own scrolling frame; cells are text. Numbers of columns and cells must agree.
struct SimpleTable {
  std::vector<MainColumn> columns;
  std::vector<std::vector<std::string>> rows;
};
void write_table(HtmlWriter& out, const SimpleTable& table);
// A coloured word. `kind`: "good", "bad", "warn", "calm".
void write_chip(HtmlWriter& out, const std::string& text, const std::string& kind);
[[nodiscard]] std::string outcome_kind(record::OutcomeKind outcome);

void write_summary(HtmlWriter& out, const PageView& view);
void write_main_table(HtmlWriter& out, const PageView& view);
void write_charts(HtmlWriter& out, const PageView& view);
void write_metrics(HtmlWriter& out, const PageView& view);
void write_gate(HtmlWriter& out, const PageView& view);
void write_runs(HtmlWriter& out, const PageView& view);
void write_settings(HtmlWriter& out, const PageView& view);
void write_machine(HtmlWriter& out, const PageView& view);
void write_study(HtmlWriter& out, const PageView& view);

}  // namespace dlbench::report
