// The verdicts, the main table, the charts and the table of all metrics.
#include <fmt/format.h>

#include <algorithm>

#include "record/metrics.hpp"
#include "report/format.hpp"
#include "report/html_sections.hpp"
#include "report/summary.hpp"
#include "report/text.hpp"

namespace dlbench::report {
namespace {

std::string verdict_kind(const analysis::CaseSummary& summary) {
  switch (summary.verdict.word) {
    case analysis::Word::faster:
      return "good";
    case analysis::Word::slower:
      return "bad";
    case analysis::Word::cannot_be_shown:
      return "warn";
    case analysis::Word::same_within_margin:
    case analysis::Word::no_difference_shown:
    case analysis::Word::no_verdict:
      break;
  }
  return "calm";
}

std::string row_class(const CaseRow& row) {
  if (row.timed->is_base) {
    return "base";
  }
  const auto& certificate = row.timed->certificate;
  return certificate && certificate->verdict == record::Verdict::mismatch ? "refused" : "";
}

void write_cell(HtmlWriter& out, const MainCell& cell, const char* css, const std::string& chip) {
  out.open("td", {{"class", css}});
  if (chip.empty()) {
    out.text(cell.text);
  } else {
    write_chip(out, cell.text, chip);
  }
  if (!cell.detail.empty()) {
    out.element("span", cell.detail, {{"class", "detail"}});
  }
  out.close();
}

// Words that carry the result are chips; what is the same in every row stays plain.
std::string chip_of(const MainTable& table, const MainRow& line, std::size_t column) {
  const analysis::CaseSummary& summary = *line.row->timed;
  if (table.columns[column].title == "verdict" && !summary.is_base && !summary.measured_case.is_reference) {
    return verdict_kind(summary);
  }
  if (table.columns[column].title == "outcome") {
    return outcome_kind(summary.outcome.kind);
  }
  return "";
}

void write_main_row(HtmlWriter& out, const MainTable& table, const MainRow& line) {
  out.open("tr", {{"class", row_class(*line.row)}});
  for (std::size_t column = 0; column < line.cells.size(); ++column) {
    const char* css = table.columns[column].is_number ? "number" : (column == 0 ? "name" : "");
    write_cell(out, line.cells[column], css, chip_of(table, line, column));
  }
  out.close();
}

void write_head_row(HtmlWriter& out, const std::vector<MainColumn>& columns) {
  out.open("thead").open("tr");
  for (const MainColumn& column : columns) {
    out.element("th", column.title, {{"class", column.is_number ? "number" : ""}, {"scope", "col"}});
  }
  out.close().close();
}

void write_lines(HtmlWriter& out, const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) {
    return;
  }
  out.open("div").element("h3", title).open("ul", {{"class", "plain"}});
  for (const std::string& line : lines) {
    out.element("li", line);
  }
  out.close().close();
}

void write_legend(HtmlWriter& out, const std::vector<LegendEntry>& legend) {
  if (legend.empty()) {
    return;
  }
  out.open("div").element("h3", "Words used").open("dl", {{"class", "legend"}});
  for (const LegendEntry& entry : legend) {
    out.element("dt", entry.word).element("dd", entry.meaning);
  }
  out.close().close();
}

}  // namespace

const std::string& name_of(const PageView& view, const std::string& case_id) {
  const auto found = view.names.find(case_id);
  return found == view.names.end() ? case_id : found->second;
}

void write_chip(HtmlWriter& out, const std::string& text, const std::string& kind) {
  out.element("span", text, {{"class", "chip " + kind}});
}

std::string outcome_kind(record::OutcomeKind outcome) {
  using record::OutcomeKind;
  switch (outcome) {
    case OutcomeKind::ok:
      return "good";
    case OutcomeKind::unsupported:
    case OutcomeKind::not_installed:
    case OutcomeKind::unverified:
    case OutcomeKind::invalid:
    case OutcomeKind::unsteady:
    case OutcomeKind::not_converged:
      return "warn";
    case OutcomeKind::mismatch:
    case OutcomeKind::nan:
    case OutcomeKind::oom:
    case OutcomeKind::timeout:
    case OutcomeKind::crash:
    case OutcomeKind::protocol:
      break;
  }
  return "bad";
}

void write_table(HtmlWriter& out, const SimpleTable& table) {
  out.open("div", {{"class", "frame"}}).open("table");
  write_head_row(out, table.columns);
  out.open("tbody");
  for (const std::vector<std::string>& row : table.rows) {
    out.open("tr");
    for (std::size_t column = 0; column < row.size(); ++column) {
      out.element("td", row[column], {{"class", table.columns[column].is_number ? "number" : "words"}});
    }
    out.close();
  }
  out.close().close().close();
}

void write_summary(HtmlWriter& out, const PageView& view) {
  out.element("p", gate_sentence(view.table.rows));
  out.open("div", {{"class", "verdicts"}});
  for (const GroupSummary& group : group_summaries(view.table.rows, view.input->analysis.family)) {
    out.open("div").element("h3", "At " + group.group).open("ul");
    for (const Sentence& sentence : group.sentences) {
      const bool compared = !sentence.about->is_base && !sentence.about->measured_case.is_reference;
      const std::string kind = compared ? verdict_kind(*sentence.about) : "";
      out.element("li", sentence.text, {{"class", kind}});
    }
    out.close().close();
  }
  out.close();
  if (view.input->analysis.warnings.empty()) {
    return;
  }
  out.open("div", {{"class", "warnings"}, {"role", "note"}}).open("ul");
  for (const std::string& warning : view.input->analysis.warnings) {
    out.element("li", warning);
  }
  out.close().close();
}

void write_main_table(HtmlWriter& out, const PageView& view) {
  const MainTable& table = view.table;
  out.open("div", {{"class", "frame"}}).open("table");
  write_head_row(out, table.columns);
  out.open("tbody");
  std::string group;
  for (const MainRow& line : table.lines) {
    if (line.row->group != group) {
      group = line.row->group;
      out.open("tr", {{"class", "group"}});
      out.element("td", group, {{"colspan", std::to_string(table.columns.size())}}).close();
    }
    write_main_row(out, table, line);
  }
  out.close().close().close();
  out.open("div", {{"class", "columns"}});
  write_lines(out, "Notes", table_notes(table.rows));
  write_legend(out, verdict_legend(table.rows, view.input->analysis.family));
  std::vector<std::string> settings = view.input->settings_lines;
  settings.push_back("Family: " + family_line(view.input->analysis.family));
  write_lines(out, "How it was measured", settings);
  write_lines(out, "dlbench's own cost", overhead_lines(view.input->overheads));
  out.close();
}

void write_charts(HtmlWriter& out, const PageView& view) {
  if (view.charts.empty()) {
    out.element("p", "There is nothing to draw: no run has a step time, a loss or an accuracy.");
  }
  for (const Chart& chart : view.charts) {
    out.element("h3", chart.title).element("p", chart.note, {{"class", "note"}});
    out.open("div", {{"class", "chart"},
                     {"id", chart.id},
                     {"role", "img"},
                     {"aria-label", chart.title},
                     {"style", fmt::format("height:{}px", chart.height_px)}})
        .close();
    SimpleTable table;
    for (const ChartTable::Column& column : chart.table.columns) {
      table.columns.push_back({column.title, column.is_number});
    }
    table.rows = chart.table.rows;
    write_table(out, table);
  }
}

void write_metrics(HtmlWriter& out, const PageView& view) {
  SimpleTable table;
  table.columns = {{"case", false}};
  std::vector<record::MetricInfo> shown;
  const auto& cases = view.input->analysis.cases;
  for (const record::MetricInfo& metric : record::metric_catalogue()) {
    if (std::any_of(cases.begin(), cases.end(),
                    [&](const auto& one) { return one.medians.contains(metric.id); })) {
      shown.push_back(metric);
      const std::string unit = scaled_unit(metric.unit);
      table.columns.push_back(
          {metric.label + (unit == "1" || unit == "1/s" || unit == "ratio" ? "" : " (" + unit + ")"), true});
    }
  }
  for (const analysis::CaseSummary& summary : cases) {
    std::vector<std::string> row = {name_of(view, summary.measured_case.id)};
    for (const record::MetricInfo& metric : shown) {
      const auto median = median_of(summary, metric.id);
      row.push_back(median ? scaled_value(*median, metric.unit) : no_value);
    }
    table.rows.push_back(std::move(row));
  }
  out.element("p", "Median over the OK runs of each case.", {{"class", "note"}});
  write_table(out, table);
  out.open("dl", {{"class", "legend"}});
  for (const record::MetricInfo& metric : shown) {
    out.element("dt", metric.label).element("dd", metric.meaning);
  }
  out.close();
}

}  // namespace dlbench::report
