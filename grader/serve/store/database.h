#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grader/serve/store/store_error.h"

// A connection to a database, with errors as exceptions. Statements are written once, in what
// SQLite 3.35 and PostgreSQL 13 have in common; where these differ there is a function of Database.
// Values reach SQL as parameters only.

namespace warpgrade {

/// A parameter. Text is UTF-8: PostgreSQL takes no other, and gets U+FFFD in place of it.
struct SqlBytes {
  std::string bytes;
};
using SqlValue = std::variant<std::int64_t, double, std::string, SqlBytes>;

/// What a statement returns, row by row.
class Rows {
 public:
  Rows() = default;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  virtual ~Rows() = default;

  /// Goes to the next row; false after the last one.
  virtual bool next() = 0;
  /// Of this row; 0, or empty, for NULL.
  [[nodiscard]] virtual std::int64_t integer(int column) const = 0;
  [[nodiscard]] virtual double real(int column) const = 0;
  [[nodiscard]] virtual std::string bytes(int column) const = 0;
  [[nodiscard]] virtual bool is_null(int column) const = 0;
};

/// Not thread-safe. All functions throw StoreError.
class Database {
 public:
  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  virtual ~Database() = default;

  /// Statements without parameters or results.
  virtual void run(const std::string& script) = 0;
  /// One statement, with `?` for each parameter.
  [[nodiscard]] virtual std::unique_ptr<Rows> execute(const std::string& sql,
                                                      const std::vector<SqlValue>& values) = 0;
  /// Rows that the last statement changed.
  [[nodiscard]] virtual std::int64_t changes() const = 0;

  enum class Flush : std::uint8_t {
    at_commit,
    /// Complete after a crash of the process, but may be lost by one of the system: for what is
    /// changed every second, by a class, and is not worth a flush of the disk each time.
    later,
  };
  /// Use Transaction.
  virtual void begin(Flush flush) = 0;
  virtual void commit() = 0;
  virtual void rollback() noexcept = 0;

  /// The statements of a version of the tables, of which each database has its own.
  enum class Dialect : std::uint8_t { sqlite, postgresql };
  [[nodiscard]] virtual Dialect dialect() const = 0;
  /// Of the tables; 0: there are none. Inside a transaction, in which nobody else reads it.
  [[nodiscard]] virtual std::int64_t schema_version() = 0;
  virtual void set_schema_version(std::int64_t version) = 0;
  /// Milliseconds since 1970, UTC, by the clock that all who use this database share.
  [[nodiscard]] virtual std::int64_t clock_ms() = 0;
  /// The end of a SELECT that locks its rows, and leaves out those that others have locked. Nobody
  /// has in SQLite, where a transaction of Transaction excludes all others.
  [[nodiscard]] virtual const char* skipping_locked() const = 0;
};

/// One statement, with its parameters bound in order. It runs at the first next().
class Statement {
 public:
  Statement(Database& database, std::string_view sql) : database_(database), sql_(sql) {}
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view text);
  Statement& bind_bytes(std::string_view bytes);

  /// Goes to the next row; false after the last one.
  bool next();
  /// Runs it to its end.
  void run();

  [[nodiscard]] std::int64_t integer(int column) const { return rows_->integer(column); }
  [[nodiscard]] double real(int column) const { return rows_->real(column); }
  [[nodiscard]] std::string bytes(int column) const { return rows_->bytes(column); }
  [[nodiscard]] bool is_null(int column) const { return rows_->is_null(column); }

 private:
  Database& database_;
  std::string sql_;
  std::vector<SqlValue> values_;
  std::unique_ptr<Rows> rows_;
};

/// Writes that all happen, when commit() returns, or none of them.
class Transaction {
 public:
  explicit Transaction(Database& database, Database::Flush flush = Database::Flush::at_commit);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace warpgrade
