#include "grader/serve/store/sqlite.h"

#include <fmt/core.h>

#include "grader/serve/store/store.h"

namespace warpgrade {
namespace {

constexpr int kPatienceMs = 5000;  // for a lock of another program

}  // namespace

Database::Database(const std::filesystem::path& file) : file_(file) {
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

Database::~Database() {
  sqlite3_close(handle_);
}

void Database::run(const char* sql) {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

void Database::fail(int code) const {
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

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
  const int code = sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                      &statement_, nullptr);
  if (code != SQLITE_OK) database.fail(code);
}

Statement& Statement::bind(std::int64_t value) {
  sqlite3_bind_int64(statement_, ++bound_, value);
  return *this;
}

Statement& Statement::bind(double value) {
  sqlite3_bind_double(statement_, ++bound_, value);
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  // A null pointer would be NULL.
  sqlite3_bind_text64(statement_, ++bound_, text.empty() ? "" : text.data(), text.size(),
                      SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_bytes(std::string_view bytes) {
  sqlite3_bind_blob64(statement_, ++bound_, bytes.empty() ? "" : bytes.data(), bytes.size(),
                      SQLITE_TRANSIENT);
  return *this;
}

bool Statement::next() {
  const int code = sqlite3_step(statement_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail(code);
  return code == SQLITE_ROW;
}

void Statement::run() {
  while (next()) {
  }
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_, column);
}

std::string Statement::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return data == nullptr
             ? std::string()
             : std::string(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Transaction::Transaction(Database& database) : database_(database) {
  database.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

}  // namespace warpgrade
