#include "report/text_table.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "report/text.hpp"

namespace dlbench::report {
namespace {

int longest_word(std::string_view text) {
  int widest = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t space = std::min(text.find(' ', begin), text.size());
    widest = std::max(widest, display_width(text.substr(begin, space - begin)));
    begin = space + 1;
  }
  return widest;
}

template <class Measure>
std::vector<int> column_widths(const TextTable& table, Measure measure) {
  std::vector<int> widths;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    int width = measure(table.columns[column].title);
    for (const TextRow& row : table.rows) {
      width = std::max(width, measure(row.cells[column]));
    }
    widths.push_back(width);
  }
  return widths;
}

std::vector<int> narrowest_widths(const TextTable& table) {
  std::vector<int> widths = column_widths(table, longest_word);
  for (std::size_t column = 0; column < widths.size(); ++column) {
    widths[column] = std::max(widths[column], table.columns[column].least_width);
  }
  return widths;
}

int total(const std::vector<int>& widths, int gap) {
  const int gaps = widths.empty() ? 0 : gap * (static_cast<int>(widths.size()) - 1);
  return std::accumulate(widths.begin(), widths.end(), gaps);
}

// Takes one column at a time from the widest column that can still give.
std::vector<int> fitted_widths(const TextTable& table, int width) {
  std::vector<int> widths = column_widths(table, [](std::string_view text) { return display_width(text); });
  const std::vector<int> least = narrowest_widths(table);
  while (total(widths, table.gap) > width) {
    std::size_t widest = widths.size();
    for (std::size_t column = 0; column < widths.size(); ++column) {
      if (widths[column] > least[column] && (widest == widths.size() || widths[column] > widths[widest])) {
        widest = column;
      }
    }
    if (widest == widths.size()) {
      break;  // nothing can give: too wide is better than cut
    }
    --widths[widest];
  }
  return widths;
}

std::string padded(const std::string& text, int width, Align align) {
  const std::string space(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
  return align == Align::left ? text + space : space + text;
}

std::string draw_row(const TextTable& table, const std::vector<std::string>& cells,
                     const std::vector<int>& widths) {
  std::vector<std::vector<std::string>> wrapped;
  std::size_t height = 1;
  for (std::size_t column = 0; column < cells.size(); ++column) {
    wrapped.push_back(wrap_text(cells[column], widths[column]));
    height = std::max(height, wrapped.back().size());
  }
  std::string out;
  for (std::size_t line = 0; line < height; ++line) {
    std::string text;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const std::string piece = line < wrapped[column].size() ? wrapped[column][line] : std::string();
      text += (column == 0 ? "" : std::string(static_cast<std::size_t>(table.gap), ' ')) +
              padded(piece, widths[column], table.columns[column].align);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

std::string rule(int width) {
  std::string out;
  for (int i = 0; i < width; ++i) {
    out += "─";
  }
  return out + "\n";
}

}  // namespace

int least_width(const TextTable& table) {
  return total(narrowest_widths(table), table.gap);
}

std::string draw(const TextTable& table, int width) {
  const std::vector<int> widths = fitted_widths(table, width);
  std::vector<std::string> titles;
  titles.reserve(table.columns.size());
  for (const TextColumn& column : table.columns) {
    titles.push_back(column.title);
  }
  std::string out = draw_row(table, titles, widths);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i == 0 || table.rows[i].starts_group) {
      out += rule(total(widths, table.gap));
    }
    out += draw_row(table, table.rows[i].cells, widths);
  }
  return out;
}

}  // namespace dlbench::report
