#include "store/schema.hpp"

#include <fmt/format.h>

#include <array>

#include "base/error.hpp"
#include "store/store.hpp"

namespace dlbench::store {
namespace {

// Part of the format: a published migration never changes; a new one is appended and schema_version follows.
constexpr const char* migration_1 = R"sql(
CREATE TABLE studies (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  plan_json TEXT NOT NULL,
  begun TEXT NOT NULL,
  environment_json TEXT NOT NULL
) STRICT;

CREATE TABLE cases (
  seq INTEGER PRIMARY KEY,
  study_seq INTEGER NOT NULL REFERENCES studies (seq),
  id TEXT NOT NULL,
  study_phase TEXT NOT NULL,
  framework TEXT NOT NULL,
  version TEXT NOT NULL,
  model TEXT NOT NULL,
  dataset TEXT NOT NULL,
  batch INTEGER NOT NULL,
  threads INTEGER NOT NULL,
  is_reference INTEGER NOT NULL CHECK (is_reference IN (0, 1)),
  UNIQUE (study_seq, id)
) STRICT;

CREATE TABLE case_factors (
  case_seq INTEGER NOT NULL REFERENCES cases (seq),
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (case_seq, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
  seq INTEGER PRIMARY KEY,
  case_seq INTEGER NOT NULL REFERENCES cases (seq),
  id TEXT NOT NULL UNIQUE,
  block INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  begun TEXT NOT NULL,
  outcome TEXT NOT NULL,
  reason TEXT NOT NULL,
  certificate_key TEXT,
  command TEXT NOT NULL,
  machine_before TEXT NOT NULL,
  machine_after TEXT NOT NULL,
  output_tail BLOB NOT NULL
) STRICT;
CREATE INDEX runs_by_case ON runs (case_seq, block);

CREATE TABLE run_phases (
  run_seq INTEGER NOT NULL REFERENCES runs (seq),
  position INTEGER NOT NULL,
  phase TEXT NOT NULL,
  begin_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  PRIMARY KEY (run_seq, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_metrics (
  run_seq INTEGER NOT NULL REFERENCES runs (seq),
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  value REAL,
  PRIMARY KEY (run_seq, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_settings (
  run_seq INTEGER NOT NULL REFERENCES runs (seq),
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY (run_seq, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_series (
  run_seq INTEGER NOT NULL REFERENCES runs (seq),
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  unit TEXT NOT NULL,
  dtype TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 0),
  samples BLOB NOT NULL,
  PRIMARY KEY (run_seq, position)
) STRICT;

CREATE TABLE certificates (
  seq INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  created TEXT NOT NULL,
  framework TEXT NOT NULL,
  verdict TEXT NOT NULL,
  certificate_json TEXT NOT NULL
) STRICT;
CREATE INDEX certificates_by_key ON certificates (key, seq);

PRAGMA application_id = 0x646C6231;
PRAGMA user_version = 1;
)sql";

// Migration i brings version i to version i + 1 and says so in user_version.
constexpr std::array<const char*, schema_version> migrations = {migration_1};

std::int64_t pragma(Database& database, std::string_view sql) {
  Statement statement(database, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::int64_t read_version(Database& database) {
  const std::int64_t version = pragma(database, "PRAGMA user_version");
  const std::int64_t id = pragma(database, "PRAGMA application_id");
  const std::int64_t tables = pragma(database, "SELECT count(*) FROM sqlite_schema");
  if (id != application_id && (id != 0 || version != 0 || tables != 0)) {
    throw base::UserError(fmt::format("{} is a SQLite database, but not one of dlbench", database.path()),
                          database.path(), "name another workspace folder");
  }
  if (version < 0 || (id == application_id && version == 0)) {
    fail_damaged(database.path(), fmt::format("schema version {}", version));
  }
  if (version > schema_version) {
    throw base::UserError(fmt::format("{} has schema version {}, this dlbench knows versions up to {}",
                                      database.path(), version, schema_version),
                          database.path(), "use the newer dlbench that wrote it");
  }
  return version;
}

}  // namespace

void migrate(Database& database) {
  const std::int64_t found = read_version(database);
  if (found == schema_version) {
    return;
  }
  Transaction transaction(database);
  for (auto version = static_cast<std::size_t>(found); version < migrations.size(); ++version) {
    database.execute(migrations[version]);
  }
  transaction.commit();
}

void require_current_schema(Database& database) {
  const std::int64_t version = read_version(database);
  if (version != schema_version) {
    throw base::UserError(fmt::format("{} has schema version {}, this dlbench reads version {}",
                                      database.path(), version, schema_version),
                          database.path(),
                          "`dlbench run` in this workspace brings an older database up to date");
  }
}

}  // namespace dlbench::store
