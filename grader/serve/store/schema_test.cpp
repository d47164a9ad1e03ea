#include "grader/serve/store/schema.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "grader/serve/store/postgresql.h"
#include "grader/serve/store/sqlite.h"
#include "grader/serve/store/store.h"
#include "grader/testing/database.h"

namespace warpgrade {
namespace {

using Dialect = Database::Dialect;

/// The first bytes of the SHA-256 of each version's statements, from 1: as they were released.
constexpr std::array<const char*, 6> kReleasedSqlite = {"f46e306f3ba57a4b", "6445ed3db7b0b7d1",
                                                        "f9ef4ca84ced1fef", "96e03ddd1c95f096",
                                                        "ee96f28a4ed5797b", "2a656936cf737bce"};
/// With which databases of PostgreSQL begin.
constexpr std::int64_t kFirstOfPostgresql = 5;
constexpr std::array<const char*, 2> kReleasedPostgresql = {"51225d88060837c7", "2a656936cf737bce"};

std::string hash_of_step(Dialect dialect, std::int64_t version) {
  Sha256 sha;
  sha.add(std::string_view(schema_step(dialect, version)));
  return sha.hex().substr(0, 16);
}

/// A database with the tables of a version, as it is left by the release that had it.
std::unique_ptr<Database> database_of(const DatabaseAddress& address, std::int64_t version) {
  std::unique_ptr<Database> database =
      address.is_postgresql() ? open_postgresql(address) : open_sqlite(address.file);
  migrate(*database, version);
  return database;
}

}  // namespace

TEST_CASE("released versions of the tables are as they were released", "[serve][unit]") {
  for (std::size_t i = 0; i < kReleasedSqlite.size(); ++i) {
    CHECK(hash_of_step(Dialect::sqlite, static_cast<std::int64_t>(i) + 1) == kReleasedSqlite[i]);
  }
  for (std::size_t i = 0; i < kReleasedPostgresql.size(); ++i) {
    CHECK(hash_of_step(Dialect::postgresql, kFirstOfPostgresql + static_cast<std::int64_t>(i)) ==
          kReleasedPostgresql[i]);
  }
}

TEST_CASE("a database of each released version keeps its attempts and drafts", "[serve][unit]") {
  const bool postgresql = testing::tests_have_postgresql();
  for (std::int64_t version = postgresql ? kFirstOfPostgresql : 1; version < newest_schema();
       ++version) {
    CAPTURE(version);
    const ScratchFolder folder;
    const testing::TestDatabase database(folder.path() / "serve.db");
    {
      const auto old = database_of(database.address(), version);
      old->run(
          "INSERT INTO attempt (lab, kind, state, requested_ms, files_hash) VALUES "
          "('vecadd', 'check', 'done', 5, 'hash');"
          "INSERT INTO result VALUES (1, 7, 10, 0, 'h', '[]', '<p>');"
          "INSERT INTO file VALUES ('hash', 'old');"
          "INSERT INTO attempt_file VALUES (1, 'a.cu', 'hash');"
          "INSERT INTO draft (lab, name, content" +
          std::string(version == 1 ? ") VALUES ('vecadd', 'a.cu', 'draft')"
                                   : ", person) VALUES ('vecadd', 'a.cu', 'draft', '')"));
    }
    const Store store(database.address());
    const auto attempts = store.attempts("", "vecadd", 10);
    REQUIRE(attempts.size() == 1);
    CHECK(attempts[0].person.empty());
    CHECK(attempts[0].result->score == 7);
    CHECK(store.draft("", "vecadd") == FileSet{{"a.cu", "draft"}});
    CHECK(store.files(1) == FileSet{{"a.cu", "old"}});
  }
}

TEST_CASE("a database that was made by a newer version is refused", "[serve][unit]") {
  const ScratchFolder folder;
  const testing::TestDatabase database(folder.path() / "serve.db");
  {
    const auto newer = database_of(database.address(), newest_schema());
    const Store store(database.address());  // the newest one is not
    Transaction transaction(*newer);
    newer->set_schema_version(newest_schema() + 1);
    transaction.commit();
  }
  try {
    const Store store(database.address());
    FAIL("it opened");
  } catch (const StoreError& e) {
    CHECK(std::string(e.what()).starts_with("The database was made by a newer version"));
  }
}

TEST_CASE("a worker leaves the tables as they are, and wants those of its version",
          "[serve][unit]") {
  const ScratchFolder folder;
  const testing::TestDatabase database(folder.path() / "serve.db");
  DatabaseAddress worker = database.address();
  worker.migrates = false;
  CHECK_THROWS_AS(Store(worker), StoreError);
  const auto old = database_of(database.address(), newest_schema() - 1);
  CHECK_THROWS_AS(Store(worker), StoreError);
  {
    const Transaction transaction(*old);
    CHECK(old->schema_version() == newest_schema() - 1);
  }
  const Store store(database.address());
  CHECK_NOTHROW(Store(worker));
}

}  // namespace warpgrade
