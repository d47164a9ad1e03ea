#include "grader/serve/store/postgresql.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <atomic>
#include <charconv>
#include <cstdio>
#include <type_traits>

#include "grader/core/encoding.h"
#include "grader/core/error.h"

namespace warpgrade {
namespace {

/// What each connection begins with: the patience for a lock of another program, as with SQLite;
/// and commits that wait for the disk, whatever the role's default is.
constexpr const char* kSettings =
    "SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '60s'; "
    "SET client_min_messages = 'warning'; "
    "SELECT set_config('synchronous_commit', 'on', false) "
    "WHERE current_setting('synchronous_commit') = 'off'";

/// Those who migrate a database wait for each other by this number.
constexpr std::int64_t kMigrationLock = 0x77617270;

/// Whether some connection of this process waits for the database, so that the terminal has one
/// line when it is gone, and one when it is there again.
std::atomic<bool> is_gone = false;

class PostgresRows final : public Rows {
 public:
  explicit PostgresRows(PostgresReply reply) : reply_(std::move(reply)) {}

  bool next() override { return ++at_ <= reply_.rows.size(); }
  [[nodiscard]] std::int64_t integer(int column) const override {
    return number<std::int64_t>(column);
  }
  [[nodiscard]] double real(int column) const override { return number<double>(column); }
  [[nodiscard]] std::string bytes(int column) const override {
    return value(column).value_or(std::string());
  }
  [[nodiscard]] bool is_null(int column) const override { return !value(column).has_value(); }

 private:
  [[nodiscard]] const std::optional<std::string>& value(int column) const {
    return reply_.rows.at(at_ - 1).at(static_cast<std::size_t>(column));
  }
  template <typename Number>
  [[nodiscard]] Number number(int column) const {
    Number result{};
    if (const auto& text = value(column)) {
      std::from_chars(text->data(), text->data() + text->size(), result);
    }
    return result;
  }

  PostgresReply reply_;
  std::size_t at_ = 0;  // of the row, from 1
};

class PostgresDatabase final : public Database {
 public:
  explicit PostgresDatabase(DatabaseAddress address)
      : address_(std::move(address)), library_(load_postgresql_library(address_.library)) {
    connect();
  }

  void run(const std::string& script) override {
    changes_ = ask([&] { return connection_->run(script); }, effect_of(script)).changes;
  }

  [[nodiscard]] std::unique_ptr<Rows> execute(const std::string& sql,
                                              const std::vector<SqlValue>& values) override {
    std::vector<PostgresParameter> parameters;
    parameters.reserve(values.size());
    for (const SqlValue& value : values) parameters.push_back(parameter_of(value));
    const std::string numbered = with_numbered_parameters(sql);
    PostgresReply reply =
        ask([&] { return connection_->execute(numbered, parameters); }, effect_of(sql));
    changes_ = reply.changes;
    return std::make_unique<PostgresRows>(std::move(reply));
  }

  [[nodiscard]] std::int64_t changes() const override { return changes_; }

  void begin(Flush flush) override {
    const char* sql = flush == Flush::later ? "BEGIN; SET LOCAL synchronous_commit = off" : "BEGIN";
    ask([&] { return connection_->run(sql); }, Effect::none);
    in_transaction_ = true;
  }
  void commit() override {
    ask([&] { return connection_->run("COMMIT"); }, Effect::at_once);
    in_transaction_ = false;
  }
  void rollback() noexcept override {
    try {
      if (connection_) static_cast<void>(connection_->run("ROLLBACK"));
    } catch (...) {
      connection_.reset();  // out of memory: the server rolls back
    }
    in_transaction_ = false;
  }

  [[nodiscard]] Dialect dialect() const override { return Dialect::postgresql; }
  [[nodiscard]] std::int64_t schema_version() override {
    run(fmt::format("SELECT pg_advisory_xact_lock({})", kMigrationLock));
    const std::unique_ptr<Rows> table = execute(
        "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = "
        "'schema_version'",
        {});
    if (!table->next()) return 0;
    const std::unique_ptr<Rows> row = execute("SELECT version FROM schema_version", {});
    return row->next() ? row->integer(0) : 0;
  }
  void set_schema_version(std::int64_t version) override {
    run(
        fmt::format("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL); "
                    "DELETE FROM schema_version; INSERT INTO schema_version VALUES ({})",
                    version));
  }

  [[nodiscard]] std::int64_t clock_ms() override {
    const std::unique_ptr<Rows> row =
        execute("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)", {});
    return row->next() ? row->integer(0) : 0;
  }
  [[nodiscard]] const char* skipping_locked() const override { return "FOR UPDATE SKIP LOCKED"; }

 private:
  /// What a statement has changed if the connection ends before its answer comes.
  enum class Effect : std::uint8_t {
    none,  // it may be asked again
    with_the_transaction,  // nothing: that is rolled back
    at_once,  // nobody knows
  };
  [[nodiscard]] Effect effect_of(std::string_view sql) const {
    if (in_transaction_) return Effect::with_the_transaction;
    return sql.starts_with("SELECT") ? Effect::none : Effect::at_once;
  }

  static PostgresParameter parameter_of(const SqlValue& value) {
    return std::visit(
        [](const auto& bound) -> PostgresParameter {
          using Type = std::decay_t<decltype(bound)>;
          if constexpr (std::is_same_v<Type, SqlBytes>) {
            return {.bytes = bound.bytes, .binary = true};
          } else if constexpr (std::is_same_v<Type, std::string>) {
            return {.bytes = as_utf8(bound)};
          } else {
            return {.bytes = fmt::format("{}", bound)};
          }
        },
        value);
  }

  /// @param statement  asks the server
  template <typename Ask>
  PostgresReply ask(const Ask& statement, Effect effect) {
    if (!in_transaction_ && (!connection_ || connection_->ended())) connect();
    if (!connection_) gone("the connection ended in the middle of a change", effect);
    PostgresReply reply = statement();
    if (lost(reply) && effect == Effect::none) {
      connect();
      reply = statement();
    }
    if (lost(reply)) {
      // Nothing else of a transaction may run on another connection.
      connection_.reset();
      gone(reply.problem, effect);
    }
    if (!reply.problem.empty()) fail(reply);
    return reply;
  }

  /// Whether the server has ended the connection, is about to, or was never reached.
  [[nodiscard]] bool lost(const PostgresReply& reply) const {
    return !reply.problem.empty() && (reply.state.starts_with("57P0") ||
                                      reply.state.starts_with("08") || connection_->ended());
  }

  void connect() {
    connection_ = library_.connect(address_.url, address_.password);
    const std::string problem = connection_->problem();
    const PostgresConnection::Password password = connection_->password();
    if (!problem.empty()) {
      connection_.reset();
      if (password == PostgresConnection::Password::missing) {
        refuse("wants a password: name a file with it by --database-password-file");
      }
      gone(password == PostgresConnection::Password::used ? problem + " (was the password right?)"
                                                          : problem,
           Effect::none);
    }
    const PostgresReply settings = connection_->run(kSettings);
    if (!settings.problem.empty()) {
      connection_.reset();
      gone(settings.problem, Effect::none);
    }
    const PostgresReply encoding = connection_->run("SHOW server_encoding");
    if (encoding.problem.empty() && encoding.rows.at(0).at(0) != "UTF8") {
      connection_.reset();
      refuse(
          fmt::format("has the encoding {}: make it with CREATE DATABASE ... ENCODING 'UTF8' "
                      "TEMPLATE template0",
                      encoding.rows.at(0).at(0).value_or("?")));
    }
    if (is_gone.exchange(false)) {
      fmt::print(stderr, "warpgrade serve: the database {} answers again\n", address_.name());
    }
    was_connected_ = true;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw StoreError(StoreError::Kind::broken,
                     fmt::format("The database {} {}.", address_.name(), why));
  }

  /// Who asked reads a short sentence, without the machine's name; the terminal has the reason.
  [[noreturn]] void gone(const std::string& why, Effect effect) const {
    if (!was_connected_) {
      throw StoreError(StoreError::Kind::unreachable,
                       fmt::format("The database {} cannot be used: {}.", address_.name(), why));
    }
    if (!is_gone.exchange(true)) {
      fmt::print(stderr, "warpgrade serve: the database {} does not answer: {}\n", address_.name(),
                 why);
    }
    throw StoreError(
        StoreError::Kind::unreachable,
        effect == Effect::at_once
            ? "The database stopped answering, so that it is not known whether this was saved. "
              "Look "
              "again in a moment."
            : "Nothing was saved: the database does not answer. Try again in a moment.");
  }

  [[noreturn]] void fail(const PostgresReply& reply) const {
    const std::string& state = reply.state;
    if (state == "53100") {
      throw StoreError(StoreError::Kind::full,
                       "Nothing was saved: the database's disk is full. Everything saved before is "
                       "intact. Free some space and try again.");
    }
    // No lock in time, a deadlock, a conflict, too many connections, a standby.
    if (state == "55P03" || state.starts_with("40") || state.starts_with("53") ||
        state == "25006") {
      throw StoreError(
          StoreError::Kind::locked,
          fmt::format("Nothing was saved: the database is busy or takes no changes now ({}). Try "
                      "again in a moment.",
                      reply.problem));
    }
    throw StoreError(StoreError::Kind::broken, fmt::format("The database {} failed: {} ({}).",
                                                           address_.name(), reply.problem, state));
  }

  DatabaseAddress address_;
  const PostgresLibrary& library_;
  std::unique_ptr<PostgresConnection> connection_;  // null after it was lost
  bool was_connected_ = false;
  bool in_transaction_ = false;
  std::int64_t changes_ = 0;
};

}  // namespace

std::string with_numbered_parameters(const std::string& sql) {
  std::string numbered;
  int count = 0;
  bool in_literal = false;
  for (const char c : sql) {
    in_literal = in_literal != (c == '\'');
    if (c == '?' && !in_literal) {
      numbered += fmt::format("${}", ++count);
    } else {
      numbered += c;
    }
  }
  return numbered;
}

const PostgresLibrary& load_postgresql_library(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "postgresql.so";
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    throw EnvironmentError(
        fmt::format("--database needs {}, which this warpgrade does not have: the Python wheel "
                    "leaves it out, and a build needs libpq, which scripts/setup installs. Use the "
                    "Debian package, or build it; without --database everything is in SQLite",
                    file.string()));
  }
  // Stays loaded as long as the process.
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* entry = library == nullptr ? nullptr : ::dlsym(library, kPostgresEntry);
  if (entry == nullptr) {
    const char* reason = ::dlerror();
    throw EnvironmentError(
        fmt::format("{} cannot be loaded ({}); install libpq5, or the Debian package again",
                    file.string(), reason == nullptr ? "no reason given" : reason));
  }
  return reinterpret_cast<PostgresEntry>(entry)();
}

std::unique_ptr<Database> open_postgresql(const DatabaseAddress& address) {
  return std::make_unique<PostgresDatabase>(address);
}

}  // namespace warpgrade
