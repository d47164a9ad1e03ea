#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

// SQLite with errors as exceptions. Values reach SQL as parameters only.

namespace warpgrade {

class Database {
 public:
  /// @throws StoreError, as all functions here
  explicit Database(const std::filesystem::path& file);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  /// Statements without parameters or results.
  void run(const char* sql);
  [[nodiscard]] sqlite3* handle() const { return handle_; }
  [[nodiscard]] std::int64_t last_id() const { return sqlite3_last_insert_rowid(handle_); }
  /// Rows that the last statement changed.
  [[nodiscard]] int changes() const { return sqlite3_changes(handle_); }
  /// Throws what `code` means.
  [[noreturn]] void fail(int code) const;

 private:
  sqlite3* handle_ = nullptr;
  std::filesystem::path file_;
};

/// One statement, with its parameters bound in order.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view text);
  Statement& bind_bytes(std::string_view bytes);

  /// Goes to the next row; false after the last one.
  bool next();
  /// Runs it to its end.
  void run();

  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string bytes(int column) const;
  [[nodiscard]] bool is_null(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

/// Writes that all happen, when commit() returns, or none of them.
class Transaction {
 public:
  explicit Transaction(Database& database);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace warpgrade
