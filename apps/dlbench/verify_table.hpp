// Operators, networks or faults by frameworks, as text and as Markdown.
#pragma once

#include <string>
#include <vector>

namespace dlbench::app {

struct VerifyNote {
  std::string subject;  // what of the row it is about: a graph, or the row itself
  std::string text;
  std::string
      cause;  // "": unknown. Notes of a framework with the same text or cause share a line below the table
};

struct VerifyCell {
  std::string row;   // the operator, recipe, network or fault
  std::string text;  // "PASS", "named", …
  std::vector<VerifyNote> notes;
};

struct VerifyColumn {
  std::string framework;
  std::vector<VerifyCell> cells;  // the same rows in every column
};

// One line for each row, then the notes. `corner` is the heading of the rows.
[[nodiscard]] std::string verify_table(const std::string& corner, const std::vector<VerifyColumn>& columns);

// The same for a document, turned: a Markdown table with a line for each framework, then a list of the notes.
[[nodiscard]] std::string verify_markdown(const std::vector<VerifyColumn>& columns);

}  // namespace dlbench::app
