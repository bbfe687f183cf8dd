// Everything a person or a program reads: terminal table, CSV, JSON, one HTML page. From structs; never
// measures.
#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.hpp"

namespace dlbench::report {

inline constexpr int json_schema_version = 1;

struct Overhead {  // dlbench's own cost, measured
  std::string label;
  double value = 0.0;
  std::string unit;
};

struct ReportInput {
  std::string title;
  std::string study_name;
  std::string study_text;
  std::string begun;
  std::string environment_json;
  analysis::Analysis analysis;
  std::vector<record::Run> runs;  // with series
  std::vector<Overhead> overheads;
  std::vector<std::string>
      settings_lines;  // "7 blocks, no early stop", window lengths, … shown with the table
};

[[nodiscard]] std::string terminal_table(const ReportInput& input, int width_columns);
[[nodiscard]] std::string csv(const ReportInput& input);  // one line per case; RFC 4180
[[nodiscard]] std::string json(
    const ReportInput& input);  // schema_version, everything incl. runs without series
[[nodiscard]] std::string html(const ReportInput& input);  // self-contained, complete without JavaScript

}  // namespace dlbench::report
