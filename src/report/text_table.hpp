// Aligned columns of text for a terminal.
#pragma once

#include <string>
#include <vector>

namespace dlbench::report {

enum class Align { left, right };

struct TextColumn {
  std::string title;
  Align align = Align::left;
  int least_width = 4;  // columns are never made narrower than this (or than their longest word allows)
};

struct TextRow {
  std::vector<std::string> cells;  // as many as there are columns; U+00A0 keeps words together
  bool starts_group = false;       // a rule is drawn above
};

struct TextTable {
  int gap = 2;  // spaces between columns
  std::vector<TextColumn> columns;
  std::vector<TextRow> rows;
};

// Width of the narrowest table that breaks no word.
[[nodiscard]] int least_width(const TextTable& table);

// Lines of at most `width` columns where that is possible, each ended by '\n'. Cells wrap; no row and no text
// is left out.
[[nodiscard]] std::string draw(const TextTable& table, int width);

}  // namespace dlbench::report
