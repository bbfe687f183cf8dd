// The workspace's one SQLite file: what happened, never what is planned or derived. See
// docs/formats/store.md.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "record/certificate.hpp"
#include "record/run.hpp"

namespace dlbench::store {

inline constexpr int schema_version = 1;  // PRAGMA user_version

struct StudyRow {
  std::string id;  // hash of the plan (cases, blocks, family, settings)
  std::string name;
  std::string text;       // the study file as it was read
  std::string plan_json;  // family, base, margin, alpha, windows, blocks: fixed before the first run
  std::string begun;
  std::string environment_json;  // dlbench version, commit, argv, machine, clock resolution
};

// Not for use by several threads at once. Everything read back is checked: a damaged or doctored file is a
// base::UserError that names it, never a crash. Failures of the disk are base::UserError too. Adding a case
// to an unknown study, a run to an unknown case or a second run of one id is a bug (DLBENCH_ASSERT,
// base::Bug).
class Store {
 public:
  // Opens or creates <workspace>/dlbench.db (and the folder); takes the workspace lock (one writer). Throws
  // base::UserError when another process holds it, when the schema is newer (both numbers), or when the file
  // is no dlbench database.
  static std::unique_ptr<Store> open(const std::string& workspace);
  // For report, status: read only, no lock; works while another process writes. Throws when there is no
  // database.
  static std::unique_ptr<Store> open_read_only(const std::string& workspace);
  virtual ~Store() = default;

  virtual void add_study(const StudyRow& study) = 0;                // no effect when it is there
  [[nodiscard]] virtual std::vector<StudyRow> studies() const = 0;  // oldest first
  // No effect when the study has it.
  virtual void add_case(const std::string& study_id, const record::Case& measured_case) = 0;
  // In the order in which they were added.
  [[nodiscard]] virtual std::vector<record::Case> cases(const std::string& study_id) const = 0;
  // One transaction: the run with all its series, or nothing.
  virtual void add_run(const std::string& study_id, const record::Run& run) = 0;
  // In the order in which they were added; without series unless asked for.
  [[nodiscard]] virtual std::vector<record::Run> runs(const std::string& study_id,
                                                      bool with_series) const = 0;
  // (case, block) pairs that have a run that counts (any outcome but INVALID): plan − this = what is left to
  // do.
  [[nodiscard]] virtual std::set<std::pair<std::string, int>> finished(const std::string& study_id) const = 0;
  // A later certificate of the same key is kept beside the earlier ones; an identical one has no effect.
  virtual void add_certificate(const record::Certificate& certificate) = 0;
  // The newest of this key.
  [[nodiscard]] virtual std::optional<record::Certificate> certificate(const std::string& key) const = 0;
};

}  // namespace dlbench::store
