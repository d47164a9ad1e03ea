#pragma once

#include <sys/types.h>

#include <string>

#include "grader/core/files.h"

namespace warpgrade::testing {

/// A server of PostgreSQL in a temporary folder, as an unprivileged user, which listens on a socket
/// in that folder only. It ends with the object, and with this process however that ends.
class PostgresServer {
 public:
  /// Why there can be none here: "needs postgresql (scripts/setup installs it)"; empty if there
  /// can.
  [[nodiscard]] static std::string why_not();

  /// @throws std::runtime_error  if it cannot be started
  PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer() { stop(); }

  /// A new database, empty. @returns its URL
  [[nodiscard]] std::string new_database();
  /// The same database for a role whose password is kPassword.
  [[nodiscard]] static std::string with_password(const std::string& url);
  static constexpr const char* kPassword = "right/ one";

  /// Statements, as a superuser. @returns what psql prints, values alone
  std::string run(const std::string& url, const std::string& sql) const;
  /// Ends all connections to a database but this one, as an administrator does.
  void end_connections(const std::string& url) const;

  void start();
  /// As a crash of the machine: what was not committed is lost.
  void stop();

 private:
  ScratchFolder folder_;
  pid_t pid_ = -1;
  int databases_ = 0;
};

}  // namespace warpgrade::testing
