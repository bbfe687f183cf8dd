// What is left of a study: plan minus stored rows. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/run.hpp"
#include "study/study.hpp"

namespace dlbench::host {

// True when the run is INVALID and an outside cause (steal, foreign CPU time) took more of its windows than
// the study allows: its block is worth repeating.
[[nodiscard]] bool was_disturbed(const record::Run& run, const study::DisturbanceLimits& limits);

class StudyProgress {
 public:
  StudyProgress(const std::vector<record::Run>& stored, const study::DisturbanceLimits& limits);
  void add(const record::Run& run);

  // The attempt of `block` that is in progress or was last.
  [[nodiscard]] int attempt(int block) const;
  [[nodiscard]] bool has(const std::string& case_id, int block, int attempt) const;
  // Is there any row of this case that says NOT_INSTALLED, MISMATCH or UNVERIFIED without having been
  // measured?
  [[nodiscard]] bool has_verdict_row(const std::string& case_id) const;
  [[nodiscard]] bool disturbed(int block, int attempt) const;
  [[nodiscard]] int repeated_blocks() const;
  // The warm-up count that the first run of the case found.
  [[nodiscard]] std::optional<std::int64_t> warm_up_steps(const std::string& case_id) const;

 private:
  std::map<std::pair<int, int>, std::map<std::string, record::OutcomeKind>>
      runs_;  // (block, attempt) -> case
  study::DisturbanceLimits limits_;
  std::map<std::pair<int, int>, bool> disturbed_;
  std::map<std::string, bool> verdict_rows_;
  std::map<std::string, std::int64_t> warm_up_steps_;
};

}  // namespace dlbench::host
