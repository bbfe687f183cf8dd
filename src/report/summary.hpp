// The verdicts in plain sentences.
#pragma once

#include <string>
#include <vector>

#include "report/case_rows.hpp"

namespace dlbench::report {

struct Sentence {
  std::string text;
  const analysis::CaseSummary* about = nullptr;  // never null
};

struct GroupSummary {
  std::string group;                // "1 thread"
  std::vector<Sentence> sentences;  // one per case: the base first, the reference last
};

// What the gate proved, then how many cases have numbers.
[[nodiscard]] std::string gate_sentence(const std::vector<CaseRow>& rows);
[[nodiscard]] std::vector<GroupSummary> group_summaries(const std::vector<CaseRow>& rows,
                                                        const analysis::Family& family);
// All of it as one list: the gate's sentence, then every group's ("At 1 thread: …").
[[nodiscard]] std::vector<std::string> summary_sentences(const analysis::Analysis& analysis);

}  // namespace dlbench::report
