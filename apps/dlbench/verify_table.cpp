#include "dlbench/verify_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dlbench::app {
namespace {

std::size_t width_of(const VerifyColumn& column) {
  std::size_t width = column.framework.size();
  for (const VerifyCell& cell : column.cells) {
    width = std::max(width, cell.text.size());
  }
  return width;
}

std::size_t row_width(const std::string& corner, const std::vector<VerifyCell>& cells) {
  std::size_t width = corner.size();
  for (const VerifyCell& cell : cells) {
    width = std::max(width, cell.row.size());
  }
  return width;
}

struct Line {
  std::vector<std::string> subjects;
  VerifyNote first;
  bool is_common = true;  // all have the first one's text
};

bool belong_together(const VerifyNote& one, const VerifyNote& other) {
  const bool is_known = !one.cause.empty() && one.cause != "unknown";
  return one.text == other.text || (is_known && one.cause == other.cause);
}

// In the order in which the first of each came.
std::vector<Line> lines_of(const VerifyColumn& column) {
  std::vector<Line> lines;
  for (const VerifyCell& cell : column.cells) {
    for (const VerifyNote& note : cell.notes) {
      const auto known =
          std::ranges::find_if(lines, [&](const Line& line) { return belong_together(line.first, note); });
      Line& line = known == lines.end() ? lines.emplace_back(Line{{}, note}) : *known;
      line.subjects.push_back(note.subject);
      line.is_common = line.is_common && line.first.text == note.text;
    }
  }
  return lines;
}

std::string notes_of(const std::vector<VerifyColumn>& columns, const std::string& mark) {
  std::string text;
  for (const VerifyColumn& column : columns) {
    for (const Line& line : lines_of(column)) {
      text += fmt::format("{}{}: {}: {}{}\n", mark, column.framework, fmt::join(line.subjects, ", "),
                          line.first.text, line.is_common ? "" : " in " + line.first.subject);
    }
  }
  return text;
}

}  // namespace

std::string verify_table(const std::string& corner, const std::vector<VerifyColumn>& columns) {
  if (columns.empty()) {
    return {};
  }
  const std::vector<VerifyCell>& rows = columns.front().cells;
  const std::size_t first = row_width(corner, rows);
  std::string text = fmt::format("{:<{}}", corner, first);
  for (const VerifyColumn& column : columns) {
    text += fmt::format("  {:<{}}", column.framework, width_of(column));
  }
  text += '\n';
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("{:<{}}", rows[i].row, first);
    for (const VerifyColumn& column : columns) {
      text += fmt::format("  {:<{}}", column.cells[i].text, width_of(column));
    }
    text += '\n';
  }
  return text + notes_of(columns, "");
}

std::string verify_markdown(const std::vector<VerifyColumn>& columns) {
  if (columns.empty()) {
    return {};
  }
  std::string text = "| framework |";
  std::string rule = "|---|";
  for (const VerifyCell& cell : columns.front().cells) {
    text += fmt::format(" {} |", cell.row);
    rule += "---|";
  }
  text += '\n' + rule + '\n';
  for (const VerifyColumn& column : columns) {
    text += fmt::format("| {} |", column.framework);
    for (const VerifyCell& cell : column.cells) {
      text += fmt::format(" {} |", cell.text);
    }
    text += '\n';
  }
  return text + '\n' + notes_of(columns, "- ");
}

}  // namespace dlbench::app
