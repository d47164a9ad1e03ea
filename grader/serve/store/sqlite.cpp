#include "grader/serve/store/sqlite.h"

#include <fmt/core.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <chrono>
#include <string>

namespace warpgrade {
namespace {

constexpr int kPatienceMs = 5000;  // for a lock of another program

class SqliteDatabase final : public Database {
 public:
  explicit SqliteDatabase(const std::filesystem::path& file);
  ~SqliteDatabase() override { sqlite3_close(handle_); }

  void run(const std::string& script) override;
  [[nodiscard]] std::unique_ptr<Rows> execute(const std::string& sql,
                                              const std::vector<SqlValue>& values) override;
  [[nodiscard]] std::int64_t changes() const override { return sqlite3_changes(handle_); }
  void begin(Flush flush) override;
  void commit() override;
  void rollback() noexcept override;
  [[nodiscard]] Dialect dialect() const override { return Dialect::sqlite; }
  [[nodiscard]] std::int64_t schema_version() override;
  void set_schema_version(std::int64_t version) override {
    run(fmt::format("PRAGMA user_version = {}", version));
  }
  [[nodiscard]] std::int64_t clock_ms() override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
  [[nodiscard]] const char* skipping_locked() const override { return ""; }

  [[nodiscard]] sqlite3* handle() const { return handle_; }
  /// Throws what `code` means.
  [[noreturn]] void fail(int code) const;

 private:
  void flush_again() noexcept;

  sqlite3* handle_ = nullptr;
  std::filesystem::path file_;
  bool flushes_later_ = false;  // in this transaction
};

class SqliteRows final : public Rows {
 public:
  SqliteRows(SqliteDatabase& database, const std::string& sql, const std::vector<SqlValue>& values);
  ~SqliteRows() override { sqlite3_finalize(statement_); }

  bool next() override;
  [[nodiscard]] std::int64_t integer(int column) const override {
    return sqlite3_column_int64(statement_, column);
  }
  [[nodiscard]] double real(int column) const override {
    return sqlite3_column_double(statement_, column);
  }
  [[nodiscard]] std::string bytes(int column) const override;
  [[nodiscard]] bool is_null(int column) const override {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
  }

 private:
  void bind(int index, std::int64_t value) { sqlite3_bind_int64(statement_, index, value); }
  void bind(int index, double value) { sqlite3_bind_double(statement_, index, value); }
  void bind(int index, const std::string& text) {
    sqlite3_bind_text64(statement_, index, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  void bind(int index, const SqlBytes& value) {
    sqlite3_bind_blob64(statement_, index, value.bytes.data(), value.bytes.size(),
                        SQLITE_TRANSIENT);
  }

  SqliteDatabase& database_;
  sqlite3_stmt* statement_ = nullptr;
};

SqliteDatabase::SqliteDatabase(const std::filesystem::path& file) : file_(file) {
  const int code =
      sqlite3_open_v2(file.c_str(), &handle_,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nullptr);
  if (code != SQLITE_OK) {
    const std::string why = handle_ != nullptr ? sqlite3_errmsg(handle_) : "no memory";
    sqlite3_close(handle_);
    handle_ = nullptr;
    throw StoreError(StoreError::Kind::broken,
                     fmt::format("The database {} cannot be opened: {}.", file.string(), why));
  }
  sqlite3_busy_timeout(handle_, kPatienceMs);
  sqlite3_extended_result_codes(handle_, 1);
}

void SqliteDatabase::run(const std::string& script) {
  const int code = sqlite3_exec(handle_, script.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::unique_ptr<Rows> SqliteDatabase::execute(const std::string& sql,
                                              const std::vector<SqlValue>& values) {
  return std::make_unique<SqliteRows>(*this, sql, values);
}

void SqliteDatabase::begin(Flush flush) {
  // It cannot be changed inside of a transaction.
  if (flush == Flush::later) run("PRAGMA synchronous = NORMAL");
  flushes_later_ = flush == Flush::later;
  try {
    run("BEGIN IMMEDIATE");
  } catch (const StoreError&) {
    flush_again();
    throw;
  }
}

void SqliteDatabase::commit() {
  run("COMMIT");
  flush_again();
}

void SqliteDatabase::rollback() noexcept {
  sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
  flush_again();
}

void SqliteDatabase::flush_again() noexcept {
  if (!flushes_later_) return;
  sqlite3_exec(handle_, "PRAGMA synchronous = FULL", nullptr, nullptr, nullptr);
  flushes_later_ = false;
}

std::int64_t SqliteDatabase::schema_version() {
  SqliteRows row(*this, "PRAGMA user_version", {});
  row.next();
  return row.integer(0);
}

void SqliteDatabase::fail(int code) const {
  const std::string name = file_.string();
  const std::string why = sqlite3_errmsg(handle_);
  const int primary = code & 0xff;
  // SQLite calls a limit of a file's size, a quota, and no space for its index of the log, errors
  // of input and output.
  if (primary == SQLITE_FULL || code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_SHMSIZE) {
    throw StoreError(
        StoreError::Kind::full,
        fmt::format("Nothing was saved: there is no space left for {}. Everything saved before "
                    "is intact. Free some space and try again.",
                    name));
  }
  if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED) {
    throw StoreError(
        StoreError::Kind::locked,
        fmt::format("Nothing was saved: another program has locked {}. Close it and try again.",
                    name));
  }
  throw StoreError(StoreError::Kind::broken, fmt::format("The database {} failed: {}.", name, why));
}

SqliteRows::SqliteRows(SqliteDatabase& database, const std::string& sql,
                       const std::vector<SqlValue>& values)
    : database_(database) {
  const int code = sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                      &statement_, nullptr);
  if (code != SQLITE_OK) database.fail(code);
  int index = 0;
  for (const SqlValue& value : values) {
    ++index;
    std::visit([&](const auto& bound) { bind(index, bound); }, value);
  }
}

bool SqliteRows::next() {
  const int code = sqlite3_step(statement_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail(code);
  return code == SQLITE_ROW;
}

std::string SqliteRows::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return data == nullptr
             ? std::string()
             : std::string(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

}  // namespace

std::unique_ptr<Database> open_sqlite(const std::filesystem::path& file) {
  const mode_t before = ::umask(077);  // others on this machine must not read it
  try {
    auto database = std::make_unique<SqliteDatabase>(file);
    database->run("PRAGMA journal_mode = WAL");
    database->run("PRAGMA synchronous = FULL");
    ::umask(before);
    return database;
  } catch (...) {
    ::umask(before);
    throw;
  }
}

}  // namespace warpgrade
