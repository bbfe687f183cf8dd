// Tells the user on stderr what a study is doing: verdicts, progress with the time left. Silent inside
// windows.
#pragma once

#include <string>

#include "host/run_study.hpp"

namespace dlbench::app {

class Narrator final : public host::StudyListener {
 public:
  Narrator();
  void note(const std::string& sentence) override;
  void verified(const host::PlannedCase& planned, const host::Verification& verification) override;
  void run_begins(const host::PlannedCase& planned, int block, std::size_t done, std::size_t total,
                  std::optional<double> seconds_left) override;
  void run_ended(const host::PlannedCase& planned, const record::Run& run) override;
  [[nodiscard]] bool any_ok() const { return any_ok_; }
  [[nodiscard]] bool all_ok() const { return all_ok_; }

 private:
  void clear_line() const;
  bool terminal_ = false;
  bool any_ok_ = false;
  bool all_ok_ = true;
};

// "PASS: logits 1.2e-07 (limit 1.0e-06), …" for one verification.
[[nodiscard]] std::string verdict_text(const host::Verification& verification);

}  // namespace dlbench::app
