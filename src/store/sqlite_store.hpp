// The Store on SQLite. Internal to store.
#pragma once

#include <optional>
#include <string>

#include "store/sqlite.hpp"
#include "store/store.hpp"
#include "store/workspace_lock.hpp"

namespace dlbench::store {

class SqliteStore final : public Store {
 public:
  SqliteStore(const std::string& workspace, Access access);

  void add_study(const StudyRow& study) override;
  [[nodiscard]] std::vector<StudyRow> studies() const override;
  void add_case(const std::string& study_id, const record::Case& measured_case) override;
  [[nodiscard]] std::vector<record::Case> cases(const std::string& study_id) const override;
  void add_run(const std::string& study_id, const record::Run& run) override;
  [[nodiscard]] std::vector<record::Run> runs(const std::string& study_id, bool with_series) const override;
  [[nodiscard]] std::set<std::pair<std::string, int>> finished(const std::string& study_id) const override;
  void add_certificate(const record::Certificate& certificate) override;
  [[nodiscard]] std::optional<record::Certificate> certificate(const std::string& key) const override;

 private:
  void require_writable() const;

  std::optional<WorkspaceLock> lock_;  // before the database: released after it is closed
  // Reading prepares statements, which SQLite counts as a use of the connection.
  mutable Database database_;
};

// The two halves of run storage, in files of their own.
void write_run(Database& database, std::int64_t case_seq, const record::Run& run);
[[nodiscard]] std::vector<record::Run> read_runs(Database& database, const std::string& study_id,
                                                 bool with_series);

}  // namespace dlbench::store
