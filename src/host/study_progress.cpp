#include "host/study_progress.hpp"

#include <algorithm>

namespace dlbench::host {

bool was_disturbed(const record::Run& run, const study::DisturbanceLimits& limits) {
  return run.outcome.kind == record::OutcomeKind::invalid &&
         (record::metric_of(run, "steal_ratio").value_or(0.0) > limits.steal_ratio ||
          record::metric_of(run, "foreign_ratio").value_or(0.0) > limits.foreign_ratio);
}

StudyProgress::StudyProgress(const std::vector<record::Run>& stored, const study::DisturbanceLimits& limits)
    : limits_(limits) {
  for (const record::Run& run : stored) {
    add(run);
  }
}

void StudyProgress::add(const record::Run& run) {
  const std::pair key(run.block, run.attempt);
  runs_[key][run.case_id] = run.outcome.kind;
  disturbed_[key] = disturbed_[key] || was_disturbed(run, limits_);
  if (run.phases.empty()) {
    verdict_rows_[run.case_id] = true;
  }
  if (const auto steps = record::metric_of(run, "warm_up_steps")) {
    warm_up_steps_.try_emplace(run.case_id, static_cast<std::int64_t>(*steps));
  }
}

int StudyProgress::attempt(int block) const {
  int last = 0;
  for (const auto& [key, cases] : runs_) {
    last = key.first == block ? std::max(last, key.second) : last;
  }
  return last;
}

bool StudyProgress::has(const std::string& case_id, int block, int attempt) const {
  const auto found = runs_.find({block, attempt});
  return found != runs_.end() && found->second.contains(case_id);
}

bool StudyProgress::has_verdict_row(const std::string& case_id) const {
  return verdict_rows_.contains(case_id);
}

bool StudyProgress::disturbed(int block, int attempt) const {
  const auto found = disturbed_.find({block, attempt});
  return found != disturbed_.end() && found->second;
}

int StudyProgress::repeated_blocks() const {
  std::map<int, int> last;
  for (const auto& [key, cases] : runs_) {
    last[key.first] = std::max(last[key.first], key.second);
  }
  int repeated = 0;
  for (const auto& [block, attempt] : last) {
    repeated += attempt;
  }
  return repeated;
}

std::optional<std::int64_t> StudyProgress::warm_up_steps(const std::string& case_id) const {
  const auto found = warm_up_steps_.find(case_id);
  return found == warm_up_steps_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace dlbench::host
