// From stored runs to what a reader sees: estimates, intervals, pairs, verdict words. Pure; recomputed at
// each report. docs/statistics.md explains every rule.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/certificate.hpp"
#include "record/run.hpp"
#include "stats/stats.hpp"

namespace dlbench::analysis {

// Fixed at plan time, hashed, untouched by sorting and filtering.
struct Family {
  std::string metric = "step_time_ns";  // an id of the catalogue whose values are positive
  std::string base;  // framework, with its version ("name version") where several are compared
  double alpha = 0.05;
  double margin_ratio = 0.02;
  int blocks = 0;
  // Pairs of case ids (compared, base), one test each; a case is compared at most once.
  std::vector<std::pair<std::string, std::string>> pairs;
  // Deviations with another formula than the recipe's that the study accepts in its ranking, by name.
  std::vector<std::string> accepted_deviations;
};
// Equal families have equal text. Reading throws base::UserError for malformed text and impossible values;
// keys that it does not know are ignored.
[[nodiscard]] std::string to_json(const Family& family);
[[nodiscard]] Family family_from_json(const std::string& text);

// Words in order of precedence, measuring.md section 5.
enum class Word { same_within_margin, faster, slower, no_difference_shown, cannot_be_shown, no_verdict };

struct Verdict {
  Word word = Word::no_verdict;
  // "faster", "same within 2 %", "faster by less than 2 %", "cannot be shown with 5 runs (7 needed)",
  // "not ranked: MISMATCH", "no verdict: …", "base", "reference", "not in the family"
  std::string text;
  std::optional<stats::PairedRatio> ratio;  // compared / base; present whenever a pair of runs exists
  double holm_p = 1.0;
};

// One case in the table. A block that was repeated counts once, with its last attempt that is not INVALID.
struct CaseSummary {
  record::Case measured_case;
  record::Outcome
      outcome;  // worst outcome over the blocks, OK when all are; INVALID("no run stored") without runs
  std::map<std::string, int> outcome_counts;  // over all stored runs, repeated ones included
  int run_count = 0;                          // blocks whose run is OK
  int invalid_count = 0;                      // INVALID runs, repeated or not
  // Over OK runs; where there is none, over runs that were measured but not accepted (MISMATCH, UNVERIFIED,
  // UNSTEADY, NOT_CONVERGED), which `outcome` marks.
  std::map<std::string, double> medians;             // metric id -> median
  std::map<std::string, stats::Interval> intervals;  // metric id -> interval of that median at 1 - alpha
  std::optional<double> share_of_reference;          // reference step time / this step time, paired by block
  std::optional<record::Certificate> certificate;    // the worst of its runs'
  Verdict verdict;                                   // against the base; no_verdict for base and reference
  bool is_base = false;
};

struct Analysis {
  Family family;
  std::vector<CaseSummary> cases;  // study order
  std::vector<std::string> warnings;
};

// A deviation with another formula than the recipe's (record/deviation.hpp) keeps a case out of the ranking
// unless the family accepts it. Throws base::UserError for an impossible family, such as a reference inside
// it.
[[nodiscard]] Analysis analyse(const Family& family, const std::vector<record::Case>& cases,
                               const std::vector<record::Run>& runs,
                               const std::map<std::string, record::Certificate>& certificates);

// "plan" calls this: throws base::UserError when 2·2⁻ⁿ > alpha / m, naming the n needed; hint mentions
// --allow-weak.
void require_power(const Family& family);

}  // namespace dlbench::analysis
