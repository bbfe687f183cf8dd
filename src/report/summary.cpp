#include "report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/format.hpp"
#include "report/main_table.hpp"
#include "report/text.hpp"

namespace dlbench::report {
namespace {

using analysis::CaseSummary;
using analysis::Word;

std::string ratio_clause(const CaseSummary& summary) {
  return summary.verdict.ratio ? ratio_with_interval(*summary.verdict.ratio) : std::string();
}

std::string compared_sentence(const CaseRow& row, const std::string& base) {
  const CaseSummary& summary = *row.timed;
  const std::string text = verdict_text(summary);
  const std::string clause = ratio_clause(summary);
  const std::string times = clause.empty() ? "" : ": " + clause;
  switch (summary.verdict.word) {
    case Word::faster:
      return fmt::format("{} is {} than {}{}.", row.label, text.starts_with("faster") ? text : "faster", base,
                         times);
    case Word::slower:
      return fmt::format("{} is {} than {}{}.", row.label, text.starts_with("slower") ? text : "slower", base,
                         times);
    case Word::same_within_margin:
      return fmt::format("{} against {}: {}{}.", row.label, base, text, clause.empty() ? "" : ", " + clause);
    case Word::no_difference_shown:
      return fmt::format("No difference between {} and {} was shown{}.", row.label, base,
                         clause.empty() ? "" : ": " + clause);
    case Word::cannot_be_shown:
      return fmt::format("{} against {}: {}{}.", row.label, base, text,
                         clause.empty() ? "" : " (seen: " + clause + ")");
    case Word::no_verdict:
      break;
  }
  return fmt::format("{}: {}.", row.label, text);
}

std::string base_sentence(const CaseRow& row) {
  const auto median = median_of(*row.timed, "step_time_ns");
  if (!median) {
    return fmt::format("{} is the base and has no step time: {}.", row.label,
                       clean_text(record::to_text(row.timed->outcome), Lines::join));
  }
  const auto range = interval_of(*row.timed, "step_time_ns");
  const int decimals = decimals_for(*median / 1e6, 4);
  return fmt::format("{} is the base: {} ms a step{}.", row.label, fixed(*median / 1e6, decimals),
                     range ? " " + interval(*range, 1e-6, decimals) : "");
}

std::string reference_sentence(const CaseRow& row) {
  const auto median = median_of(*row.timed, "step_time_ns");
  if (!median) {
    return fmt::format("The yardstick {} has no step time: {}.", row.label,
                       clean_text(record::to_text(row.timed->outcome), Lines::join));
  }
  return fmt::format("The yardstick {} takes {} ms a step; it is never ranked.", row.label,
                     fixed(*median / 1e6, decimals_for(*median / 1e6, 4)));
}

// Base first, then the compared ones, the yardstick last.
int rank_of(const CaseRow& row) {
  if (row.timed->measured_case.is_reference) {
    return 2;
  }
  return row.timed->is_base ? 0 : 1;
}

std::string sentence_of(const CaseRow& row, const std::string& base) {
  switch (rank_of(row)) {
    case 0:
      return base_sentence(row);
    case 2:
      return reference_sentence(row);
    default:
      return compared_sentence(row, base);
  }
}

}  // namespace

std::string gate_sentence(const std::vector<CaseRow>& rows) {
  std::size_t passed = 0;
  std::size_t deviating = 0;
  std::size_t refused = 0;
  std::size_t without = 0;
  for (const CaseRow& row : rows) {
    if (!row.timed->certificate) {
      ++without;
      continue;
    }
    const record::Verdict verdict = row.timed->certificate->verdict;
    passed += verdict == record::Verdict::pass ? 1 : 0;
    deviating += verdict == record::Verdict::pass_with_deviations ? 1 : 0;
    refused += verdict == record::Verdict::mismatch || verdict == record::Verdict::unverified ? 1 : 0;
  }
  std::string text = fmt::format("Same work: {} of {} cases passed the gate before they were timed",
                                 passed + deviating, rows.size());
  if (deviating > 0) {
    text += fmt::format(", {} of them with declared deviations", deviating);
  }
  if (refused > 0) {
    text += fmt::format("; {} did not", refused);
  }
  if (without > 0) {
    text += fmt::format("; {} {} no certificate", without, without == 1 ? "has" : "have");
  }
  return text + ".";
}

std::vector<GroupSummary> group_summaries(const std::vector<CaseRow>& rows, const analysis::Family& family) {
  const std::string base = clean_text(family.base, Lines::join);
  std::vector<GroupSummary> out;
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin;
    while (end < rows.size() && rows[end].group == rows[begin].group) {
      ++end;
    }
    GroupSummary& group = out.emplace_back(GroupSummary{rows[begin].group, {}});
    for (const int rank : {0, 1, 2}) {
      for (std::size_t i = begin; i < end; ++i) {
        if (rank_of(rows[i]) == rank) {
          group.sentences.push_back({sentence_of(rows[i], base), rows[i].timed});
        }
      }
    }
    begin = end;
  }
  return out;
}

std::vector<std::string> summary_sentences(const analysis::Analysis& analysis) {
  const std::vector<CaseRow> rows = case_rows(analysis);
  std::vector<std::string> out = {gate_sentence(rows)};
  for (const GroupSummary& group : group_summaries(rows, analysis.family)) {
    for (const Sentence& sentence : group.sentences) {
      out.push_back(fmt::format("At {}: {}", group.group, sentence.text));
    }
  }
  return out;
}

}  // namespace dlbench::report
