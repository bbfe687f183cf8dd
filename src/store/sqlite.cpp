#include "store/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace dlbench::store {
namespace {

// Longest text or BLOB that is read or written: a series of 2^24 samples is 128 MiB.
constexpr int max_value_bytes = 256 << 20;
constexpr int busy_timeout_ms = 10000;

}  // namespace

void fail_damaged(const std::string& path, const std::string& problem) {
  throw base::UserError(fmt::format("{}: damaged database: {}", path, problem), path,
                        "restore a copy, or move the file away and run again");
}

Database::Database(const std::string& path, Access access) : path_(path) {
  const int flags =
      access == Access::read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(path.c_str(), &handle_, flags | SQLITE_OPEN_EXRESCODE, nullptr);
  try {
    if (code != SQLITE_OK) {
      fail(code);
    }
    sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, max_value_bytes);
    sqlite3_busy_timeout(handle_, busy_timeout_ms);
    // The file may come from anyone: no functions from its schema, no writing to its internals.
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    execute("PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON;");
  } catch (...) {
    close();
    throw;
  }
}

Database::~Database() {
  close();
}

void Database::close() noexcept {
  sqlite3_close_v2(handle_);
  handle_ = nullptr;
}

void Database::execute(const char* sql) {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) {
    fail(code);
  }
}

void Database::fail(int code) const {
  const int primary = code & 0xFF;
  const std::string text =
      fmt::format("{}: {}", path_, handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code));
  switch (primary) {
    case SQLITE_CONSTRAINT:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
      throw base::Bug(text);
    case SQLITE_NOTADB:
      throw base::UserError(text, path_,
                            "the file is no dlbench database; move it away or name another workspace");
    case SQLITE_FULL:
      throw base::UserError(text, path_, "free some space and run the same command again");
    case SQLITE_BUSY:
      throw base::UserError(text, path_, "another program holds the database; close it and try again");
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:  // at this point: a table or column that a dlbench database has is not there
      fail_damaged(path_, sqlite3_errmsg(handle_));
    default:
      throw base::UserError(text, path_);
  }
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
  const int code =
      sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &handle_, nullptr);
  if (code != SQLITE_OK) {
    database.fail(code);
  }
}

Statement::~Statement() {
  sqlite3_finalize(handle_);
}

namespace {

void require_ok(const Database& database, int code) {
  if (code != SQLITE_OK) {
    database.fail(code);
  }
}

}  // namespace

Statement& Statement::bind(std::int64_t value) {
  require_ok(database_, sqlite3_bind_int64(handle_, ++bound_, value));
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  // data() may be null for an empty view, which SQLite would take for NULL.
  const char* data = text.empty() ? "" : text.data();
  require_ok(database_,
             sqlite3_bind_text64(handle_, ++bound_, data, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(double value) {
  if (std::isnan(value)) {
    return bind_null();
  }
  require_ok(database_, sqlite3_bind_double(handle_, ++bound_, value));
  return *this;
}

Statement& Statement::bind_null() {
  require_ok(database_, sqlite3_bind_null(handle_, ++bound_));
  return *this;
}

Statement& Statement::bind_blob(const void* data, std::size_t bytes) {
  if (bytes == 0) {
    require_ok(database_, sqlite3_bind_zeroblob(handle_, ++bound_, 0));
  } else {
    require_ok(database_, sqlite3_bind_blob64(handle_, ++bound_, data, bytes, SQLITE_TRANSIENT));
  }
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) {
    return true;
  }
  if (code != SQLITE_DONE) {
    database_.fail(code);
  }
  return false;
}

void Statement::run() {
  while (step()) {
  }
  reset();
}

void Statement::reset() {
  // The result repeats the error of the last step, which was reported then.
  sqlite3_reset(handle_);
  sqlite3_clear_bindings(handle_);
  bound_ = 0;
}

void Statement::require_type(int column, int type) const {
  if (sqlite3_column_type(handle_, column) != type) {
    const char* name = sqlite3_column_name(handle_, column);
    fail_damaged(database_.path(),
                 fmt::format("column {} holds a value of another type", name != nullptr ? name : "?"));
  }
}

std::int64_t Statement::integer(int column) const {
  require_type(column, SQLITE_INTEGER);
  return sqlite3_column_int64(handle_, column);
}

int Statement::small_integer(int column) const {
  const std::int64_t value = integer(column);
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
    fail_damaged(database_.path(),
                 fmt::format("{} = {} is out of range", sqlite3_column_name(handle_, column), value));
  }
  return static_cast<int>(value);
}

double Statement::real(int column) const {
  if (is_null(column)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  require_type(column, SQLITE_FLOAT);
  return sqlite3_column_double(handle_, column);
}

std::string Statement::text(int column) const {
  require_type(column, SQLITE_TEXT);
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

std::string_view Statement::blob(int column) const {
  require_type(column, SQLITE_BLOB);
  const auto* data = static_cast<const char*>(sqlite3_column_blob(handle_, column));
  return data == nullptr
             ? std::string_view{}
             : std::string_view{data, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) {
    // Nothing can be done about a failure here; the next open rolls back what is left.
    sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace dlbench::store
