#include "analysis/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "record/metrics.hpp"

namespace dlbench::analysis {
namespace {

// Above this share of discarded runs, what is left is a selection.
constexpr double most_invalid_ratio = 0.10;

std::string percent(double ratio) {
  return fmt::format("{:g} %", 100.0 * ratio);
}

// Does a ratio below 1 mean that the compared case is better?
bool lower_is_better(const Family& family) {
  const record::MetricInfo* info = record::find_metric(family.metric);
  DLBENCH_ASSERT(info != nullptr, "check_family looked it up");
  return info->lower_is_better;
}

const Contestant* find(const Contestants& contestants, const std::string& id) {
  const auto found = contestants.find(id);
  return found == contestants.end() ? nullptr : &found->second;
}

// "" or the text of a verdict that no number can change.
std::string obstacle_text(const Contestant* compared, const Contestant* base) {
  if (compared == nullptr) {
    return "not ranked: no such case stored";
  }
  if (!compared->obstacle.empty()) {
    return "not ranked: " + compared->obstacle;
  }
  if (base == nullptr) {
    return "no verdict: the base is not stored";
  }
  return base->obstacle.empty() ? std::string() : "no verdict: the base is " + base->obstacle;
}

// All pairs once, with INVALID runs discarded or kept; Holm over the whole family, pairs without data
// included.
std::vector<Verdict> test_pairs(const Family& family, const Contestants& contestants,
                                const Certificates& certificates, InvalidRuns invalid) {
  std::vector<Verdict> verdicts(family.pairs.size());
  std::vector<double> p_values(family.pairs.size(), 1.0);
  for (std::size_t i = 0; i < family.pairs.size(); ++i) {
    const Contestant* compared = find(contestants, family.pairs[i].first);
    const Contestant* base = find(contestants, family.pairs[i].second);
    verdicts[i].text = obstacle_text(compared, base);
    if (!verdicts[i].text.empty()) {
      continue;
    }
    const auto [ours, theirs] =
        paired_values(family, family.metric, *compared->runs, *base->runs, certificates, invalid);
    verdicts[i].ratio = stats::paired_ratio(ours, theirs, family.alpha);
    verdicts[i].text = verdicts[i].ratio ? "" : "no verdict: no block has a ranked run of both";
    p_values[i] = verdicts[i].ratio ? verdicts[i].ratio->p : 1.0;
  }
  const std::vector<double> adjusted = stats::holm(p_values);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i].ratio) {
      verdicts[i] = choose_word(family, *verdicts[i].ratio, adjusted[i]);
    }
  }
  return verdicts;
}

double invalid_ratio(const CaseRuns& compared, const CaseRuns& base) {
  const int invalid = compared.count(record::OutcomeKind::invalid) + base.count(record::OutcomeKind::invalid);
  const std::size_t all = compared.all().size() + base.all().size();
  return static_cast<double>(invalid) / static_cast<double>(all);
}

void withdraw(Verdict& verdict, const std::string& reason) {
  verdict.word = Word::no_verdict;
  verdict.text = "no verdict: " + reason;
}

// INVALID runs are discarded for causes outside the framework; if their absence decides, nothing is decided.
void weigh_invalid_runs(const Contestant& compared, const Contestant& base, const Verdict& kept,
                        Verdict& verdict, std::vector<std::string>& warnings) {
  const double share = invalid_ratio(*compared.runs, *base.runs);
  if (share == 0.0) {
    return;
  }
  warnings.push_back(fmt::format("{}: {:.1f} % of the pair's runs were INVALID; with them kept: ratio {}, {}",
                                 compared.label, 100.0 * share,
                                 kept.ratio ? fmt::format("{:.4f}", kept.ratio->ratio) : "none", kept.text));
  if (share > most_invalid_ratio) {
    withdraw(verdict, fmt::format("{:.1f} % of the runs were INVALID (at most 10 %)", 100.0 * share));
  } else if (kept.word != verdict.word) {
    withdraw(verdict, fmt::format("'{}' becomes '{}' when INVALID runs are kept", verdict.text, kept.text));
  }
}

void warn_of_missing_blocks(const Family& family, const Contestant& compared, const Verdict& verdict,
                            std::vector<std::string>& warnings) {
  const int paired = verdict.ratio ? verdict.ratio->n : 0;
  if (paired < family.blocks) {
    warnings.push_back(
        fmt::format("{}: {} of {} blocks are paired with the base", compared.label, paired, family.blocks));
  }
}

}  // namespace

Verdict choose_word(const Family& family, const stats::PairedRatio& ratio, double holm_p) {
  Verdict verdict{
      .word = Word::no_difference_shown, .text = "no difference shown", .ratio = ratio, .holm_p = holm_p};
  const bool lower_wins = lower_is_better(family);
  const auto better = [lower_wins](double value) { return lower_wins ? value < 1.0 : value > 1.0; };
  const auto& inside = ratio.interval_margin;
  if (inside && inside->low >= 1.0 / (1.0 + family.margin_ratio) &&
      inside->high <= 1.0 + family.margin_ratio) {
    verdict.word = Word::same_within_margin;
    const bool excludes_one = inside->low > 1.0 || inside->high < 1.0;
    verdict.text = excludes_one ? fmt::format("{} by less than {}", better(inside->low) ? "faster" : "slower",
                                              percent(family.margin_ratio))
                                : fmt::format("same within {}", percent(family.margin_ratio));
    return verdict;
  }
  if (holm_p <= family.alpha && ratio.ratio != 1.0) {
    verdict.word = better(ratio.ratio) ? Word::faster : Word::slower;
    verdict.text = verdict.word == Word::faster ? "faster" : "slower";
    return verdict;
  }
  // "No difference shown" is only fair where a difference could have been shown.
  const int tests = static_cast<int>(family.pairs.size());
  const int needed = stats::runs_needed(family.alpha, std::max(1, tests));
  if (ratio.n < needed) {
    verdict.word = Word::cannot_be_shown;
    verdict.text =
        fmt::format("cannot be shown with {} run{} ({} needed)", ratio.n, ratio.n == 1 ? "" : "s", needed);
  }
  return verdict;
}

std::vector<Verdict> judge_pairs(const Family& family, const Contestants& contestants,
                                 const Certificates& certificates, std::vector<std::string>& warnings) {
  std::vector<Verdict> verdicts = test_pairs(family, contestants, certificates, InvalidRuns::discard);
  const std::vector<Verdict> kept = test_pairs(family, contestants, certificates, InvalidRuns::keep);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const Contestant* compared = find(contestants, family.pairs[i].first);
    const Contestant* base = find(contestants, family.pairs[i].second);
    if (!obstacle_text(compared, base).empty()) {
      continue;
    }
    warn_of_missing_blocks(family, *compared, verdicts[i], warnings);
    weigh_invalid_runs(*compared, *base, kept[i], verdicts[i], warnings);
  }
  return verdicts;
}

}  // namespace dlbench::analysis
