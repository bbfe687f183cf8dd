#include "report/main_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "record/metrics.hpp"
#include "report/format.hpp"
#include "report/text.hpp"

namespace dlbench::report {
namespace {

using analysis::CaseSummary;
using analysis::Word;

bool is_ok(const CaseSummary& summary) {
  return summary.outcome.kind == record::OutcomeKind::ok;
}

MainCell step_time_cell(const CaseSummary& summary) {
  const auto median = median_of(summary, "step_time_ns");
  if (!median) {
    return {no_value, ""};
  }
  const int decimals = decimals_for(*median / 1e6, 4);
  const auto range = interval_of(summary, "step_time_ns");
  return {fixed(*median / 1e6, decimals), range ? interval(*range, 1e-6, decimals) : ""};
}

MainCell ratio_cell(const CaseSummary& summary) {
  if (summary.is_base) {
    return {median_of(summary, "step_time_ns") ? "1" : no_value, ""};
  }
  if (!summary.verdict.ratio) {
    return {no_value, ""};
  }
  const auto& ratio = *summary.verdict.ratio;
  const int decimals = ratio_decimals(ratio.interval);
  return {fixed(ratio.ratio, decimals), ratio.interval ? interval(*ratio.interval, 1.0, decimals) : ""};
}

std::string share_text(const CaseSummary& summary) {
  if (summary.measured_case.is_reference) {
    return "yardstick";
  }
  return summary.share_of_reference ? percent(*summary.share_of_reference, 0) : no_value;
}

std::string metric_text(const CaseSummary* summary, const std::string& metric, std::string (*show)(double)) {
  const auto value = summary != nullptr ? median_of(*summary, metric) : std::nullopt;
  return value ? show(*value) : no_value;
}

std::string accuracy_text(const CaseRow& row) {
  const std::string text =
      metric_text(row.convergence, "test_accuracy", [](double value) { return percent(value, 2); });
  return text != no_value && row.accuracy_at_other_threads ? text + "*" : text;
}

MainCell outcome_cell(const CaseRow& row) {
  MainCell cell{outcome_text(*row.timed), ""};
  const auto& certificate = row.timed->certificate;
  const bool said = row.timed->outcome.kind == record::OutcomeKind::mismatch;
  if (certificate && certificate->verdict != record::Verdict::pass && !said) {
    cell.detail = "gate: " + std::string(record::to_text(certificate->verdict));
  }
  return cell;
}

// "not ranked: MISMATCH" beside the outcome MISMATCH says nothing more than "not ranked".
std::string short_verdict(const CaseSummary& summary) {
  std::string text = verdict_text(summary);
  const std::string tail = ": " + std::string(record::to_text(summary.outcome.kind));
  if (!is_ok(summary) && text.ends_with(tail)) {
    text.erase(text.size() - tail.size());
  }
  return text;
}

std::vector<MainCell> cells_of(const CaseRow& row) {
  const CaseSummary& summary = *row.timed;
  const auto rate = [](double value) { return fixed(value, decimals_for(value, 4)); };
  return {{row.label, ""},
          {std::to_string(summary.measured_case.threads), ""},
          step_time_cell(summary),
          ratio_cell(summary),
          {short_verdict(summary), ""},
          {metric_text(&summary, "samples_per_s", rate), ""},
          {share_text(summary), ""},
          {accuracy_text(row), ""},
          {metric_text(&summary, "cpu_ratio", [](double value) { return fixed(value, 2); }), ""},
          {metric_text(&summary, "peak_memory_bytes", mebibytes), ""},
          outcome_cell(row)};
}

std::string word_name(Word word) {
  switch (word) {
    case Word::same_within_margin:
      return "same within the margin";
    case Word::faster:
      return "faster";
    case Word::slower:
      return "slower";
    case Word::no_difference_shown:
      return "no difference shown";
    case Word::cannot_be_shown:
      return "cannot be shown";
    case Word::no_verdict:
      break;
  }
  return "not ranked";
}

std::string word_meaning(Word word, const analysis::Family& family) {
  const std::string level =
      fixed((1.0 - family.alpha) * 100.0, decimals_for(1.0 - family.alpha, 3) > 3 ? 1 : 0);
  const std::string margin = number(family.margin_ratio * 100.0) + " %";
  switch (word) {
    case Word::same_within_margin:
      return fmt::format(
          "the {:g} % interval of the ratio lies inside the margin of {}; \"by less than\" where it also "
          "excludes 1",
          (1.0 - 2.0 * family.alpha) * 100.0, margin);
    case Word::faster:
    case Word::slower:
      return fmt::format("exact signed-rank test over paired blocks, Holm-corrected p ≤ {:g}", family.alpha);
    case Word::no_difference_shown:
      return fmt::format("the test at {} % found none; that is not a proof that there is none", level);
    case Word::cannot_be_shown:
      return "so few runs that no result could reach significance; the number needed stands beside";
    case Word::no_verdict:
      break;
  }
  return "reference, base, failed gate, too few valid runs, or outside the family: measured, never ranked";
}

// What is said of several groups is said once: "keras 2.2.4 (1 thread, 2 threads): …".
class Notes {
 public:
  void add(const CaseRow& row, const std::string& text) {
    const auto known = std::find_if(notes_.begin(), notes_.end(), [&](const Note& note) {
      return note.label == row.label && note.text == text;
    });
    Note& note = known == notes_.end() ? notes_.emplace_back(Note{row.label, text, {}}) : *known;
    if (std::find(note.groups.begin(), note.groups.end(), row.group) == note.groups.end()) {
      note.groups.push_back(row.group);
    }
  }
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> out;
    out.reserve(notes_.size() + 1);
    for (const Note& note : notes_) {
      out.push_back(clean_text(
          fmt::format("{} ({}): {}", note.label, fmt::join(note.groups, "; "), note.text), Lines::join));
    }
    return out;
  }

 private:
  struct Note {
    std::string label;
    std::string text;
    std::vector<std::string> groups;
  };
  std::vector<Note> notes_;
};

void add_outcome_note(Notes& notes, const CaseRow& row, const CaseSummary& summary) {
  const std::string phase =
      &summary == row.timed
          ? ""
          : fmt::format("convergence at {}: ", record::thread_text(summary.measured_case.threads));
  if (!is_ok(summary)) {
    notes.add(row, phase + record::to_text(summary.outcome));
  } else if (summary.invalid_count > 0) {
    notes.add(row, fmt::format("{}{} run{} INVALID and repeated", phase, summary.invalid_count,
                               summary.invalid_count == 1 ? "" : "s"));
  }
}

// What the outcome MISMATCH says already is not said again.
void add_certificate_note(Notes& notes, const CaseRow& row) {
  const bool is_said = row.timed->outcome.kind == record::OutcomeKind::mismatch;
  if (is_said || !row.timed->certificate || row.timed->certificate->verdict == record::Verdict::pass) {
    return;
  }
  const record::Certificate& certificate = *row.timed->certificate;
  std::string text = "gate: " + std::string(record::to_text(certificate.verdict));
  if (!certificate.deviations.empty()) {
    text += fmt::format(", {}", fmt::join(certificate.deviations, ", "));
  }
  if (!certificate.reason.empty()) {
    text += ". " + certificate.reason;
  }
  if (!certificate.diagnosis.empty()) {
    text += " Diagnosis: " + certificate.diagnosis;
  }
  notes.add(row, text);
}

}  // namespace

std::string verdict_text(const CaseSummary& summary) {
  if (summary.measured_case.is_reference) {
    return "not ranked";
  }
  if (summary.is_base) {
    return "base";
  }
  return summary.verdict.text.empty() ? word_name(summary.verdict.word)
                                      : clean_text(summary.verdict.text, Lines::join);
}

MainTable main_table(const analysis::Analysis& analysis) {
  MainTable table;
  table.rows = case_rows(analysis);
  table.columns = {
      {"framework", false},     {"threads", true},
      {"step time (ms)", true}, {"ratio to " + clean_text(analysis.family.base, Lines::join), true},
      {"verdict", false},       {"samples/s", true},
      {"of reference", true},   {"test accuracy", true},
      {"CPU s ÷ wall", true},   {"peak memory (MiB)", true},
      {"outcome", false}};
  for (const CaseRow& row : table.rows) {
    table.lines.push_back({&row, cells_of(row)});
  }
  return table;
}

std::vector<std::string> table_notes(const std::vector<CaseRow>& rows) {
  Notes notes;
  bool star = false;
  for (const CaseRow& row : rows) {
    add_outcome_note(notes, row, *row.timed);
    add_certificate_note(notes, row);
    if (row.convergence != nullptr && row.convergence != row.timed) {
      add_outcome_note(notes, row, *row.convergence);
    }
    star = star || (row.accuracy_at_other_threads && accuracy_text(row) != no_value);
  }
  std::vector<std::string> lines = notes.lines();
  if (star) {
    lines.emplace_back("* measured at another thread count, where the study has its convergence runs");
  }
  return lines;
}

std::string family_line(const analysis::Family& family) {
  const record::MetricInfo* metric = record::find_metric(family.metric);
  std::string text = fmt::format(
      "{} against {}: {} pair{}, margin {} %, α = {:g}, exact signed-rank test, Holm over the family, {} "
      "blocks",
      metric != nullptr ? metric->label : family.metric, family.base, family.pairs.size(),
      family.pairs.size() == 1 ? "" : "s", number(family.margin_ratio * 100.0), family.alpha, family.blocks);
  if (!family.accepted_deviations.empty()) {
    text += fmt::format(", accepted deviations: {}", fmt::join(family.accepted_deviations, ", "));
  }
  return clean_text(text, Lines::join);
}

std::vector<std::string> overhead_lines(const std::vector<Overhead>& overheads) {
  std::vector<std::string> lines;
  lines.reserve(overheads.size());
  for (const Overhead& overhead : overheads) {
    lines.push_back(clean_text(overhead.label + ": " + quantity(overhead.value, overhead.unit), Lines::join));
  }
  return lines;
}

std::vector<LegendEntry> verdict_legend(const std::vector<CaseRow>& rows, const analysis::Family& family) {
  std::vector<LegendEntry> legend;
  for (const Word word : {Word::same_within_margin, Word::faster, Word::slower, Word::no_difference_shown,
                          Word::cannot_be_shown, Word::no_verdict}) {
    const bool used = std::any_of(rows.begin(), rows.end(), [word](const CaseRow& row) {
      return row.timed->verdict.word == word && !row.timed->is_base;
    });
    if (used) {
      legend.push_back({word_name(word), word_meaning(word, family)});
    }
  }
  return legend;
}

}  // namespace dlbench::report
