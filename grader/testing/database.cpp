#include "grader/testing/database.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string_view>

#include "grader/core/installation.h"

namespace warpgrade::testing {

PostgresServer& postgres_server() {
  const std::string why_not = PostgresServer::why_not();
  if (!why_not.empty()) SKIP("PostgreSQL: " << why_not);
  if (!std::filesystem::exists(find_installation().library / "postgresql.so")) {
    SKIP("PostgreSQL: needs libpq-dev (scripts/setup installs it)");
  }
  static PostgresServer server;
  return server;
}

DatabaseAddress new_postgres_database() {
  return {postgres_server().new_database(), "", find_installation().library};
}

bool tests_have_postgresql() {
  const char* wanted = std::getenv("WARPGRADE_TEST_DATABASE");
  return wanted != nullptr && std::string_view(wanted) == "postgresql";
}

TestDatabase::TestDatabase(const std::filesystem::path& sqlite_file)
    : address_(tests_have_postgresql() ? new_postgres_database() : DatabaseAddress(sqlite_file)) {}

}  // namespace warpgrade::testing
