#include "store/sqlite_store.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/folders.hpp"
#include "store/schema.hpp"

namespace dlbench::store {
namespace {

std::string prepare_folder(const std::string& workspace) {
  base::make_folders(workspace);
  return workspace;
}

std::string database_path(const std::string& workspace) {
  return workspace + "/dlbench.db";
}

std::string existing_database(const std::string& workspace) {
  const std::string path = database_path(workspace);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw base::UserError(fmt::format("{} does not exist", path), path,
                          "`dlbench run` creates it; --workspace names another folder");
  }
  return path;
}

std::optional<std::int64_t> find_seq(Database& database, std::string_view sql, std::string_view a,
                                     std::string_view b = {}) {
  Statement statement(database, sql);
  statement.bind(a);
  if (!b.empty()) {
    statement.bind(b);
  }
  return statement.step() ? std::optional(statement.integer(0)) : std::nullopt;
}

void write_factors(Database& database, std::int64_t case_seq, const record::Case& measured_case) {
  Statement insert(database, "INSERT INTO case_factors (case_seq, name, value) VALUES (?, ?, ?)");
  for (const auto& [name, value] : measured_case.factors) {
    insert.bind(case_seq).bind(name).bind(value).run();
  }
}

record::Case read_case(Database& database, const Statement& row) {
  record::Case result;
  result.id = row.text(1);
  result.study_phase = row.text(2);
  result.framework = row.text(3);
  result.version = row.text(4);
  result.model = row.text(5);
  result.dataset = row.text(6);
  result.batch = row.integer(7);
  result.threads = row.small_integer(8);
  result.is_reference = row.integer(9) != 0;
  Statement factors(database, "SELECT name, value FROM case_factors WHERE case_seq = ? ORDER BY name");
  factors.bind(row.integer(0));
  while (factors.step()) {
    result.factors.emplace(factors.text(0), factors.text(1));
  }
  return result;
}

std::optional<std::string> newest_certificate(Database& database, const std::string& key) {
  Statement select(database,
                   "SELECT certificate_json FROM certificates WHERE key = ? ORDER BY seq DESC LIMIT 1");
  select.bind(key);
  return select.step() ? std::optional(select.text(0)) : std::nullopt;
}

constexpr std::string_view find_case_sql =
    "SELECT c.seq FROM cases c JOIN studies s ON s.seq = c.study_seq WHERE s.id = ? AND c.id = ?";

}  // namespace

SqliteStore::SqliteStore(const std::string& workspace, Access access)
    : database_(
          [&] {
            if (access == Access::read_only) {
              return existing_database(workspace);
            }
            lock_.emplace(prepare_folder(workspace));
            return database_path(workspace);
          }(),
          access) {
  if (access == Access::read_only) {
    require_current_schema(database_);
    return;
  }
  migrate(database_);
  // WAL: readers never wait for the writer. FULL: a committed run survives a power cut; one sync per run
  // costs nothing.
  database_.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
}

void SqliteStore::require_writable() const {
  DLBENCH_ASSERT(lock_.has_value(), "the store was opened read only");
}

void SqliteStore::add_study(const StudyRow& study) {
  require_writable();
  Statement insert(
      database_,
      "INSERT INTO studies (id, name, text, plan_json, begun, environment_json) VALUES (?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (id) DO NOTHING");
  insert.bind(study.id).bind(study.name).bind(study.text).bind(study.plan_json).bind(study.begun);
  insert.bind(study.environment_json).run();
}

std::vector<StudyRow> SqliteStore::studies() const {
  Statement select(database_,
                   "SELECT id, name, text, plan_json, begun, environment_json FROM studies ORDER BY seq");
  std::vector<StudyRow> rows;
  while (select.step()) {
    rows.push_back({.id = select.text(0),
                    .name = select.text(1),
                    .text = select.text(2),
                    .plan_json = select.text(3),
                    .begun = select.text(4),
                    .environment_json = select.text(5)});
  }
  return rows;
}

void SqliteStore::add_case(const std::string& study_id, const record::Case& measured_case) {
  require_writable();
  Transaction transaction(database_);
  const auto study = find_seq(database_, "SELECT seq FROM studies WHERE id = ?", study_id);
  DLBENCH_ASSERT(study.has_value(), "a case belongs to a stored study");
  if (find_seq(database_, find_case_sql, study_id, measured_case.id)) {
    return;
  }
  Statement insert(
      database_,
      "INSERT INTO cases (study_seq, id, study_phase, framework, version, model, dataset, batch, threads, "
      "is_reference) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq");
  insert.bind(*study).bind(measured_case.id).bind(measured_case.study_phase).bind(measured_case.framework);
  insert.bind(measured_case.version)
      .bind(measured_case.model)
      .bind(measured_case.dataset)
      .bind(measured_case.batch);
  insert.bind(std::int64_t{measured_case.threads}).bind(std::int64_t{measured_case.is_reference ? 1 : 0});
  insert.step();
  const std::int64_t seq = insert.integer(0);
  insert.run();
  write_factors(database_, seq, measured_case);
  transaction.commit();
}

std::vector<record::Case> SqliteStore::cases(const std::string& study_id) const {
  Statement select(
      database_,
      "SELECT c.seq, c.id, c.study_phase, c.framework, c.version, c.model, c.dataset, c.batch, c.threads, "
      "c.is_reference FROM cases c JOIN studies s ON s.seq = c.study_seq WHERE s.id = ? ORDER BY c.seq");
  select.bind(study_id);
  std::vector<record::Case> result;
  while (select.step()) {
    result.push_back(read_case(database_, select));
  }
  return result;
}

void SqliteStore::add_run(const std::string& study_id, const record::Run& run) {
  require_writable();
  Transaction transaction(database_);
  const auto seq = find_seq(database_, find_case_sql, study_id, run.case_id);
  DLBENCH_ASSERT(seq.has_value(), "a run belongs to a stored case");
  write_run(database_, *seq, run);
  transaction.commit();
}

std::vector<record::Run> SqliteStore::runs(const std::string& study_id, bool with_series) const {
  return read_runs(database_, study_id, with_series);
}

std::set<std::pair<std::string, int>> SqliteStore::finished(const std::string& study_id) const {
  Statement select(database_,
                   "SELECT DISTINCT c.id, r.block FROM runs r JOIN cases c ON c.seq = r.case_seq "
                   "JOIN studies s ON s.seq = c.study_seq WHERE s.id = ? AND r.outcome <> 'INVALID'");
  select.bind(study_id);
  std::set<std::pair<std::string, int>> result;
  while (select.step()) {
    result.emplace(select.text(0), select.small_integer(1));
  }
  return result;
}

void SqliteStore::add_certificate(const record::Certificate& certificate) {
  require_writable();
  const std::string json = record::to_json(certificate);
  // Kept beside older ones, never in their place: runs were judged by what was in force then.
  if (newest_certificate(database_, certificate.key) == json) {
    return;
  }
  Statement insert(
      database_,
      "INSERT INTO certificates (key, created, framework, verdict, certificate_json) VALUES (?, ?, ?, ?, ?)");
  insert.bind(certificate.key).bind(certificate.created).bind(certificate.framework);
  insert.bind(record::to_text(certificate.verdict)).bind(json).run();
}

std::optional<record::Certificate> SqliteStore::certificate(const std::string& key) const {
  const std::optional<std::string> json = newest_certificate(database_, key);
  if (!json) {
    return std::nullopt;
  }
  try {
    return record::certificate_from_json(*json);
  } catch (const base::UserError& error) {
    fail_damaged(database_.path(), fmt::format("certificate {}: {}", key, error.what()));
  }
}

std::unique_ptr<Store> Store::open(const std::string& workspace) {
  return std::make_unique<SqliteStore>(workspace, Access::read_write);
}

std::unique_ptr<Store> Store::open_read_only(const std::string& workspace) {
  return std::make_unique<SqliteStore>(workspace, Access::read_only);
}

}  // namespace dlbench::store
