// From stored runs to what a reader sees: estimates, intervals, pairs, verdict words. Pure; recomputed at each report.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/certificate.hpp"
#include "record/run.hpp"
#include "stats/stats.hpp"

namespace dlbench::analysis {

// Fixed at plan time, hashed, untouched by sorting and filtering.
struct Family {
  std::string metric = "step_time_ns";
  std::string base;  // framework name
  double alpha = 0.05;
  double margin_ratio = 0.02;
  int blocks = 0;
  // Pairs of case ids (compared, base), one test each.
  std::vector<std::pair<std::string, std::string>> pairs;
};
[[nodiscard]] std::string to_json(const Family& family);
[[nodiscard]] Family family_from_json(const std::string& text);

// Words in order of precedence, measuring.md section 5.
enum class Word { same_within_margin, faster, slower, no_difference_shown, cannot_be_shown, no_verdict };

struct Verdict {
  Word word = Word::no_verdict;
  std::string text;  // "faster", "faster by less than 2 %", "cannot be shown with 5 runs (7 needed)", "not ranked: MISMATCH"
  std::optional<stats::PairedRatio> ratio;  // compared / base
  double holm_p = 1.0;
};

// One case in the table.
struct CaseSummary {
  record::Case measured_case;
  record::Outcome outcome;       // worst outcome, OK when all runs are
  std::map<std::string, int> outcome_counts;
  int run_count = 0;             // OK runs
  int invalid_count = 0;
  std::map<std::string, double> medians;              // metric id -> median over OK runs
  std::map<std::string, stats::Interval> intervals;   // metric id -> interval of that median
  std::optional<double> share_of_reference;           // reference time / this time, paired by block
  std::optional<record::Certificate> certificate;
  Verdict verdict;               // against the base; no_verdict for base and reference
  bool is_base = false;
};

struct Analysis {
  Family family;
  std::vector<CaseSummary> cases;  // study order
  std::vector<std::string> warnings;
};

[[nodiscard]] Analysis analyse(const Family& family, const std::vector<record::Case>& cases,
                               const std::vector<record::Run>& runs,
                               const std::map<std::string, record::Certificate>& certificates);

// "plan" calls this: throws base::UserError when 2·2⁻ⁿ > alpha / m, naming the n needed; hint mentions --allow-weak.
void require_power(const Family& family);

}  // namespace dlbench::analysis
