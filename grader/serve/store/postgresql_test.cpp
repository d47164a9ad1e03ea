#include "grader/serve/store/postgresql.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/serve/store/server_lock.h"
#include "grader/serve/store/sessions.h"
#include "grader/serve/store/store.h"
#include "grader/testing/database.h"

// What a database of PostgreSQL has that a file has not: a network, passwords, other programs.

namespace warpgrade {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using testing::PostgresServer;

/// What opening fails with.
std::string why_not(const DatabaseAddress& address, StoreError::Kind kind) {
  try {
    const Store store(address);
  } catch (const StoreError& e) {
    CHECK(e.kind == kind);
    return e.what();
  }
  return "it opened";
}

std::int64_t submit(Store& store) {
  std::vector<std::int64_t> replaced;
  return store
      .add("s01", "vecadd", AttemptKind::submission, Urgency::later, {{"a.cu", "x"}}, replaced)
      .id;
}

}  // namespace

TEST_CASE("the option for a database takes URLs of PostgreSQL without a password",
          "[serve][unit]") {
  const auto refused = [](const std::string& url) {
    try {
      const DatabaseAddress address(url, "", "");
    } catch (const UsageError& e) {
      CHECK(std::string(e.what()).find("geheim") == std::string::npos);
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(refused("postgresql://labs@db.example.org:5432/warpgrade?sslmode=verify-full").empty());
  CHECK(refused("postgres:///warpgrade?host=/run/postgresql").empty());
  CHECK(refused("postgresql://labs@a:1,b:2/warpgrade").empty());
  CHECK(refused("postgresql://[::1]:5432/warpgrade").empty());
  CHECK_THAT(refused("serve.db"), ContainsSubstring("takes the URL of a PostgreSQL database"));
  CHECK_THAT(refused("mysql://db/warpgrade"), ContainsSubstring("takes the URL"));
  for (const char* url :
       {"postgresql://labs:geheim@db/warpgrade", "postgresql://:geheim@db",
        "postgresql://labs:a/geheim@db/warpgrade", "postgresql://db/warpgrade?password=geheim",
        "postgresql:///w?a=b&password=geheim"}) {
    CHECK_THAT(refused(url), ContainsSubstring("--database-password-file"));
  }
}

TEST_CASE("parameters are numbered, question marks in literals are not", "[serve][unit]") {
  CHECK(with_numbered_parameters("a = ? AND b = '?' OR c IN (?, ?)") ==
        "a = $1 AND b = '?' OR c IN ($2, $3)");
}

TEST_CASE("a warpgrade without the library for PostgreSQL says how to get it", "[serve][unit]") {
  const ScratchFolder scratch;
  CHECK_THROWS_MATCHES(load_postgresql_library(scratch.path()), EnvironmentError,
                       MessageMatches(ContainsSubstring("--database needs ") &&
                                      ContainsSubstring("scripts/setup installs")));
  write_file_atomically(scratch.path() / "postgresql.so", "no library");
  CHECK_THROWS_MATCHES(load_postgresql_library(scratch.path()), EnvironmentError,
                       MessageMatches(ContainsSubstring("postgresql.so cannot be loaded (")));
}

TEST_CASE("a database that cannot be reached, or refuses, is one clear line", "[serve][unit]") {
  PostgresServer& server = testing::postgres_server();
  DatabaseAddress address = testing::new_postgres_database();
  const std::string url = address.url;
  address.url = "postgresql://warpgrade@/nobody_made_it" + url.substr(url.find("?host"));
  CHECK_THAT(why_not(address, StoreError::Kind::unreachable),
             ContainsSubstring("database \"nobody_made_it\" does not exist"));
  address.url = "postgresql://labs@/w?host=/nowhere";
  CHECK_THAT(why_not(address, StoreError::Kind::unreachable),
             ContainsSubstring("The database postgresql://labs@/w?host=/nowhere cannot be used: "
                               "connection to server on socket \"/nowhere/"));

  address.url = PostgresServer::with_password(url);
  CHECK_THAT(why_not(address, StoreError::Kind::broken),
             ContainsSubstring("wants a password: name a file with it by "
                               "--database-password-file"));
  address.password = "geheim";
  const std::string wrong = why_not(address, StoreError::Kind::unreachable);
  CHECK_THAT(wrong, ContainsSubstring("password authentication failed for user \"locked\""));
  CHECK(wrong.find("geheim") == std::string::npos);
  CHECK(wrong.find('\n') == std::string::npos);
  address.password = PostgresServer::kPassword;
  CHECK(why_not(address, StoreError::Kind::broken) == "it opened");

  server.run(url, "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
  address.password.clear();
  address.url = "postgresql://warpgrade@/latin" + url.substr(url.find("?host"));
  CHECK_THAT(why_not(address, StoreError::Kind::broken),
             ContainsSubstring("has the encoding LATIN1"));
}

TEST_CASE("a connection that was ended is made again, and nothing is lost", "[serve][unit]") {
  const DatabaseAddress address = testing::new_postgres_database();
  PostgresServer& server = testing::postgres_server();
  Store store(address);
  Sessions sessions(address);
  const std::int64_t first = submit(store);
  const std::string invitation = sessions.invite("s01");
  server.end_connections(address.url);
  CHECK(store.attempt(first)->person == "s01");
  CHECK(sessions.begin(invitation, ""));
  server.end_connections(address.url);
  const std::int64_t second = submit(store);
  CHECK(store.waiting().size() == 2);
  CHECK(store.claim(second)->id == second);
}

TEST_CASE("a database that is gone for a while is named as such, and used again when it is back",
          "[serve][unit]") {
  const DatabaseAddress address = testing::new_postgres_database();
  PostgresServer& server = testing::postgres_server();
  Store store(address);
  const std::int64_t first = submit(store);
  server.stop();
  for (int i = 0; i < 2; ++i) {
    try {
      submit(store);
      FAIL("it was added");
    } catch (const StoreError& e) {
      CHECK(e.kind == StoreError::Kind::unreachable);
      CHECK(std::string(e.what()) ==
            "Nothing was saved: the database does not answer. Try again in a moment.");
    }
  }
  CHECK_THROWS_AS(store.attempts("s01", "vecadd", 1), StoreError);
  server.start();
  CHECK(store.attempt(first)->state == AttemptState::waiting);
  CHECK(submit(store) > first);
}

TEST_CASE("a change whose connection ends in the middle has not happened", "[serve][unit]") {
  const DatabaseAddress address = testing::new_postgres_database();
  PostgresServer& server = testing::postgres_server();
  const auto database = open_postgresql(address);
  database->run("CREATE TABLE t (i BIGINT)");
  {
    Transaction transaction(*database);
    Statement(*database, "INSERT INTO t VALUES (?)").bind(std::int64_t{1}).run();
    server.end_connections(address.url);
    // Not on a new connection, on which this would be a change of its own.
    CHECK_THROWS_AS(Statement(*database, "INSERT INTO t VALUES (2)").run(), StoreError);
    CHECK_THROWS_AS(Statement(*database, "INSERT INTO t VALUES (3)").run(), StoreError);
    CHECK_THROWS_AS(transaction.commit(), StoreError);
  }
  Statement count(*database, "SELECT count(*) FROM t");
  CHECK(count.next());
  CHECK(count.integer(0) == 0);
  // Between two changes it is made again.
  server.end_connections(address.url);
  Statement(*database, "INSERT INTO t VALUES (4)").run();
  CHECK(database->changes() == 1);
}

TEST_CASE("a second server does not use the same database of PostgreSQL", "[serve][unit]") {
  const DatabaseAddress address = testing::new_postgres_database();
  {
    const ServerLock first(address);
    CHECK_THROWS_MATCHES(ServerLock(address), UsageError,
                         MessageMatches(ContainsSubstring("another `warpgrade serve` uses the "
                                                          "database postgresql://")));
  }
  const ServerLock second(address);  // although PostgreSQL may notice the end a little later
}

TEST_CASE("text that PostgreSQL would refuse is kept with marks in place of it", "[serve][unit]") {
  Store store(testing::new_postgres_database());
  std::vector<std::int64_t> replaced;
  const std::string bytes = std::string("a\0b\xff", 4);
  const std::int64_t id = store
                              .add("s01", "vecadd", AttemptKind::check, Urgency::interactive,
                                   {{"a.cu", bytes}}, replaced)
                              .id;
  CHECK(store.files(id) == FileSet{{"a.cu", bytes}});
  CHECK(store.fail(*store.claim(id), bytes));
  CHECK(store.attempt(id)->message ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD");
}

}  // namespace warpgrade
