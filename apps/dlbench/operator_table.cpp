#include "dlbench/operator_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dlbench::app {
namespace {

std::size_t width_of(const OperatorColumn& column) {
  std::size_t width = column.framework.size();
  for (const host::OpSummary& summary : column.operators) {
    width = std::max(width, host::to_text(summary).size());
  }
  return width;
}

std::size_t name_width(const std::vector<host::OpSummary>& operators) {
  std::size_t width = std::string("operator").size();
  for (const host::OpSummary& summary : operators) {
    width = std::max(width, summary.op.size());
  }
  return width;
}

}  // namespace

std::string operator_table(const std::vector<OperatorColumn>& columns) {
  if (columns.empty()) {
    return {};
  }
  const std::vector<host::OpSummary>& operators = columns.front().operators;
  const std::size_t first = name_width(operators);
  std::string text = fmt::format("{:<{}}", "operator", first);
  for (const OperatorColumn& column : columns) {
    text += fmt::format("  {:<{}}", column.framework, width_of(column));
  }
  text += '\n';
  for (std::size_t i = 0; i < operators.size(); ++i) {
    text += fmt::format("{:<{}}", operators[i].op, first);
    for (const OperatorColumn& column : columns) {
      text += fmt::format("  {:<{}}", host::to_text(column.operators[i]), width_of(column));
    }
    text += '\n';
  }
  for (const OperatorColumn& column : columns) {
    for (const host::OpSummary& summary : column.operators) {
      for (const std::string& problem : summary.problems) {
        text += fmt::format("{}: {}\n", column.framework, problem);
      }
    }
  }
  return text;
}

}  // namespace dlbench::app
