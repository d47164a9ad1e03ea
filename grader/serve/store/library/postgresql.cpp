#include <libpq-fe.h>
#include <poll.h>

#include <array>
#include <cstdlib>
#include <string>

#include "grader/serve/store/postgresql_library.h"

// What is loaded: kPostgresEntry.

namespace warpgrade {
namespace {

constexpr Oid kBytea = 17;  // pg_type.oid, which never changes

/// The first line of a message, without "ERROR:  " before it.
std::string first_line(const char* message) {
  std::string line = message == nullptr ? "" : message;
  line = line.substr(0, line.find('\n'));
  return line.empty() ? "no reason given" : line;
}

class LibpqConnection final : public PostgresConnection {
 public:
  LibpqConnection(const std::string& url, const std::string& password) {
    // Later ones replace earlier ones, so that the URL decides about the time limits.
    std::array<const char*, 11> names = {
        "connect_timeout",  "keepalives_idle", "keepalives_interval", "tcp_user_timeout",
        "application_name", "dbname",          "client_encoding",     nullptr};
    std::array<const char*, 11> values = {"5",         "10",   "5",    "15000", "warpgrade serve",
                                          url.c_str(), "UTF8", nullptr};
    if (!password.empty()) {
      names[7] = "password";
      values[7] = password.c_str();
    }
    handle_ = PQconnectdbParams(names.data(), values.data(), /*expand_dbname=*/1);
    // They would go to standard error.
    if (handle_ != nullptr)
      PQsetNoticeProcessor(
          handle_, [](void*, const char*) {}, nullptr);
  }
  LibpqConnection(const LibpqConnection&) = delete;
  LibpqConnection& operator=(const LibpqConnection&) = delete;
  ~LibpqConnection() override { PQfinish(handle_); }

  [[nodiscard]] std::string problem() const override {
    if (handle_ == nullptr) return "no memory";
    return PQstatus(handle_) == CONNECTION_OK ? std::string() : first_line(PQerrorMessage(handle_));
  }

  [[nodiscard]] Password password() const override {
    if (PQconnectionNeedsPassword(handle_) != 0) return Password::missing;
    return PQconnectionUsedPassword(handle_) != 0 ? Password::used : Password::unused;
  }

  [[nodiscard]] bool ended() override {
    // What has come unasked: a notice, or the end, with a message before it.
    for (int i = 0; i < 16 && PQstatus(handle_) == CONNECTION_OK; ++i) {
      pollfd socket = {.fd = PQsocket(handle_), .events = POLLIN, .revents = 0};
      if (::poll(&socket, 1, 0) <= 0) return false;
      if (PQconsumeInput(handle_) == 0) return true;
      static_cast<void>(PQisBusy(handle_));  // reads the messages
    }
    return PQstatus(handle_) != CONNECTION_OK;
  }

  [[nodiscard]] PostgresReply execute(const std::string& sql,
                                      const std::vector<PostgresParameter>& parameters) override {
    std::vector<Oid> types;
    std::vector<const char*> values;
    std::vector<int> lengths, formats;
    for (const PostgresParameter& parameter : parameters) {
      types.push_back(parameter.binary ? kBytea : 0);
      values.push_back(parameter.bytes.c_str());
      lengths.push_back(static_cast<int>(parameter.bytes.size()));
      formats.push_back(parameter.binary ? 1 : 0);
    }
    return reply(PQexecParams(handle_, sql.c_str(), static_cast<int>(parameters.size()),
                              types.data(), values.data(), lengths.data(), formats.data(),
                              /*resultFormat=*/0));
  }

  [[nodiscard]] PostgresReply run(const std::string& script) override {
    return reply(PQexec(handle_, script.c_str()));
  }

 private:
  [[nodiscard]] PostgresReply reply(PGresult* result) const {
    PostgresReply all;
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_EMPTY_QUERY) {
      const char* primary =
          result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
      const char* state =
          result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_SQLSTATE);
      all.problem = first_line(primary == nullptr ? PQerrorMessage(handle_) : primary);
      if (state != nullptr) all.state = state;
    } else {
      all.changes = std::atoll(PQcmdTuples(result));
      read_rows(result, all);
    }
    PQclear(result);
    return all;
  }

  static void read_rows(const PGresult* result, PostgresReply& all) {
    const int rows = PQntuples(result), columns = PQnfields(result);
    all.rows.resize(static_cast<std::size_t>(rows));
    for (int row = 0; row < rows; ++row) {
      auto& values = all.rows[static_cast<std::size_t>(row)];
      for (int column = 0; column < columns; ++column) {
        if (PQgetisnull(result, row, column) != 0) {
          values.emplace_back();
        } else {
          values.emplace_back(value_of(result, row, column));
        }
      }
    }
  }

  static std::string value_of(const PGresult* result, int row, int column) {
    const char* text = PQgetvalue(result, row, column);
    if (PQftype(result, column) != kBytea) {
      return std::string(text, static_cast<std::size_t>(PQgetlength(result, row, column)));
    }
    std::size_t size = 0;
    unsigned char* bytes = PQunescapeBytea(reinterpret_cast<const unsigned char*>(text), &size);
    std::string value(reinterpret_cast<const char*>(bytes), bytes == nullptr ? 0 : size);
    PQfreemem(bytes);
    return value;
  }

  PGconn* handle_ = nullptr;
};

class ByLibpq final : public PostgresLibrary {
 public:
  [[nodiscard]] std::unique_ptr<PostgresConnection> connect(
      const std::string& url, const std::string& password) const override {
    return std::make_unique<LibpqConnection>(url, password);
  }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const PostgresLibrary& warpgrade_postgresql() {
  static const ByLibpq library;
  return library;
}

}  // namespace warpgrade
