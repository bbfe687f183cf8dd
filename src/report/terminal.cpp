// The table for a terminal, and the same text for a log file.
#include <algorithm>
#include <optional>
#include <string_view>

#include "report/main_table.hpp"
#include "report/report.hpp"
#include "report/text.hpp"
#include "report/text_table.hpp"

namespace dlbench::report {
namespace {

// Columns of the second table when one table is too wide; the first two columns name the row in both.
constexpr std::size_t name_columns = 2;
constexpr std::size_t first_extra_column = 5;
constexpr std::size_t outcome_column = 10;

std::string joined(const MainCell& cell) {
  if (cell.detail.empty()) {
    return cell.text;
  }
  const bool is_interval = cell.detail.front() == '[';
  return cell.text + " " + (is_interval ? unbreakable(cell.detail) : "(" + cell.detail + ")");
}

TextTable select(const MainTable& table, const std::vector<std::size_t>& columns) {
  TextTable out;
  for (const std::size_t column : columns) {
    out.columns.push_back(
        {table.columns[column].title, table.columns[column].is_number ? Align::right : Align::left, 3});
  }
  for (const MainRow& line : table.lines) {
    TextRow row;
    row.starts_group = !out.rows.empty() && line.row->group != (&line - 1)->row->group;
    for (const std::size_t column : columns) {
      row.cells.push_back(joined(line.cells[column]));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

// With two spaces between columns, else with one; nullopt when neither fits.
std::optional<std::string> draw_fitting(TextTable table, int width) {
  for (const int gap : {2, 1}) {
    table.gap = gap;
    if (least_width(table) <= width) {
      return draw(table, width);
    }
  }
  return std::nullopt;
}

// Two tables below each other when even the narrowest single one does not fit.
std::string draw_main(const MainTable& table, int width) {
  std::vector<std::size_t> all;
  std::vector<std::size_t> first;
  std::vector<std::size_t> second;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const bool extra = column >= first_extra_column && column != outcome_column;
    all.push_back(column);
    if (!extra) {
      first.push_back(column);
    }
    if (extra || column < name_columns) {
      second.push_back(column);
    }
  }
  if (std::optional<std::string> whole = draw_fitting(select(table, all), width)) {
    return *whole;
  }
  std::string out;
  for (const auto& columns : {first, second}) {
    const TextTable part = select(table, columns);
    out += (out.empty() ? "" : "\n") + draw_fitting(part, width).value_or(draw(part, width));
  }
  return out;
}

void add_lines(std::string& out, std::string_view title, const std::vector<std::string>& lines, int width) {
  if (lines.empty()) {
    return;
  }
  out += "\n" + std::string(title) + "\n";
  for (const std::string& line : lines) {
    bool is_first = true;
    for (const std::string& piece : wrap_text(clean_text(line, Lines::join), std::max(20, width - 4))) {
      out += (is_first ? "  " : "    ") + piece + "\n";
      is_first = false;
    }
  }
}

}  // namespace

std::string terminal_table(const ReportInput& input, int width_columns) {
  const MainTable table = main_table(input.analysis);
  std::string out = clean_text(input.title, Lines::join) + "\n\n";
  out += table.lines.empty() ? "no case has been measured yet\n" : draw_main(table, width_columns);
  add_lines(out, "notes", table_notes(table.rows), width_columns);
  add_lines(out, "warnings", input.analysis.warnings, width_columns);
  add_lines(out, "settings", input.settings_lines, width_columns);
  add_lines(out, "family", {family_line(input.analysis.family)}, width_columns);
  add_lines(out, "dlbench's own cost", overhead_lines(input.overheads), width_columns);
  std::vector<std::string> legend;
  for (const LegendEntry& entry : verdict_legend(table.rows, input.analysis.family)) {
    legend.push_back(entry.word + ": " + entry.meaning);
  }
  add_lines(out, "verdicts", legend, width_columns);
  return out;
}

}  // namespace dlbench::report
