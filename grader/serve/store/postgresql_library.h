#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpgrade {

/// A parameter of a statement of PostgreSQL.
struct PostgresParameter {
  std::string bytes;
  bool binary = false;  // of type bytea; else the text of a value of whatever type is wanted
};

struct PostgresReply {
  std::vector<std::vector<std::optional<std::string>>> rows;
  std::int64_t changes = 0;  // rows that it changed
  std::string problem;  // why it failed, in one line; empty if it did not
  std::string state;  // SQLSTATE of the error; empty if the server has not said
};

class PostgresConnection {
 public:
  virtual ~PostgresConnection() = default;

  /// Why there is no connection, or no longer one, in one line; empty if there is.
  [[nodiscard]] virtual std::string problem() const = 0;
  enum class Password : std::uint8_t { unused, used, missing };
  /// What the server wanted when connecting.
  [[nodiscard]] virtual Password password() const = 0;
  /// Whether the server has ended the connection, as far as can be seen without asking it.
  [[nodiscard]] virtual bool ended() = 0;
  /// One statement, with $1, $2, ... for parameters.
  [[nodiscard]] virtual PostgresReply execute(const std::string& sql,
                                              const std::vector<PostgresParameter>& parameters) = 0;
  /// Statements without parameters or results.
  [[nodiscard]] virtual PostgresReply run(const std::string& script) = 0;
};

/// What the store needs of libpq. It is in a library of its own, which is loaded where it is used,
/// so that no other command loads it, and packages may lack it. Nothing of it throws.
class PostgresLibrary {
 public:
  virtual ~PostgresLibrary() = default;

  /// Never null: problem() says whether there is a connection.
  /// @param url       postgresql://...
  /// @param password  empty: what libpq finds
  [[nodiscard]] virtual std::unique_ptr<PostgresConnection> connect(
      const std::string& url, const std::string& password) const = 0;
};

/// The library's entry: a static object.
inline constexpr const char* kPostgresEntry = "warpgrade_postgresql";
using PostgresEntry = const PostgresLibrary& (*)();

}  // namespace warpgrade
