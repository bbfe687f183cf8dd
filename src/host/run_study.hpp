// Runs a planned study: the gate for every case, random complete blocks, convergence runs; every run is
// stored as it ends, so that a stopped study goes on where it was.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "host/study_plan.hpp"
#include "host/verify_case.hpp"
#include "record/run.hpp"
#include "store/store.hpp"

namespace dlbench::host {

struct RunOptions {
  bool allow_mismatch = false;           // measure MISMATCH cases, marked in every table
  bool fresh_certificates = false;       // ignore the cache
  std::optional<std::string> only_case;  // id or a prefix of it
  std::optional<int> only_block;
  std::string environment_json;             // stored with the study
  const std::atomic<bool>* stop = nullptr;  // set: leave after the current run
};

// What the study tells whoever shows it. Never called inside a window.
class StudyListener {
 public:
  virtual ~StudyListener() = default;
  virtual void note(const std::string& sentence) = 0;
  virtual void verified(const PlannedCase& planned, const Verification& verification) = 0;
  virtual void run_begins(const PlannedCase& planned, int block, std::size_t done, std::size_t total,
                          std::optional<double> seconds_left) = 0;
  virtual void run_ended(const PlannedCase& planned, const record::Run& run) = 0;
};

// True when everything that the plan asks for is stored.
[[nodiscard]] bool run_study(const StudyPlan& plan, store::Store& store, const std::string& workspace,
                             const RunOptions& options, StudyListener& listener);

}  // namespace dlbench::host
