#pragma once

#include <filesystem>

#include "grader/serve/store/address.h"
#include "grader/testing/postgresql.h"

namespace warpgrade::testing {

/// The server of PostgreSQL of this process's tests; skips the test where there can be none.
[[nodiscard]] PostgresServer& postgres_server();

/// A new database of it.
[[nodiscard]] DatabaseAddress new_postgres_database();

/// Whether tests of the store have PostgreSQL: CTest runs all of them with each database, by
/// WARPGRADE_TEST_DATABASE=postgresql.
[[nodiscard]] bool tests_have_postgresql();

/// A new database for a test, of the kind that these tests have.
class TestDatabase {
 public:
  /// @param sqlite_file  where one of SQLite is
  explicit TestDatabase(const std::filesystem::path& sqlite_file);
  [[nodiscard]] const DatabaseAddress& address() const { return address_; }

 private:
  DatabaseAddress address_;
};

}  // namespace warpgrade::testing
