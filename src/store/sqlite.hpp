// The little of SQLite that the store needs, with errors as exceptions and lifetimes as scopes. Internal to
// store.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace dlbench::store {

enum class Access { read_write, read_only };

// One connection. Not for use by several threads at once. Every failure is a base::UserError that names the
// file, except a broken constraint: only dlbench itself writes, so that is a base::Bug.
class Database {
 public:
  Database(const std::string& path, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Fixed text of one or more statements; values never travel this way.
  void execute(const char* sql);
  [[nodiscard]] sqlite3* handle() const { return handle_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[noreturn]] void fail(int code) const;

 private:
  void close() noexcept;

  std::string path_;
  sqlite3* handle_ = nullptr;
};

// A prepared statement. Bind in order with `bind`, then `step` until false; `reset` starts again. Columns are
// read in order or by index and checked: a value of another storage class, or text where a number should be,
// is a damaged database.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::int64_t value);
  Statement& bind(std::string_view text);
  Statement& bind(double value);  // not-a-number becomes NULL, for which SQL has no other value
  Statement& bind_null();
  Statement& bind_blob(const void* data, std::size_t bytes);

  // True: a row is ready. False: finished.
  bool step();
  // For statements that return no row.
  void run();
  void reset();

  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] int small_integer(int column) const;  // damaged unless it fits int
  [[nodiscard]] double real(int column) const;        // NULL is not-a-number
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  // Bytes of a BLOB.
  [[nodiscard]] std::string_view blob(int column) const;  // valid until step or reset

 private:
  void require_type(int column, int type) const;

  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
  int bound_ = 0;
};

// BEGIN IMMEDIATE … COMMIT; rolled back when it goes out of scope uncommitted.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

// The database holds something that no dlbench wrote.
[[noreturn]] void fail_damaged(const std::string& path, const std::string& problem);

}  // namespace dlbench::store
