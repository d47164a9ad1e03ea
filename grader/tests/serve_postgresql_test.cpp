#include <fmt/core.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <thread>

#include "grader/core/files.h"
#include "grader/testing/postgresql.h"
#include "grader/tests/program.h"
#include "grader/tests/served.h"

// `warpgrade serve --database`, with a server of PostgreSQL of its own.

namespace warpgrade {
using testing::contains;
using testing::HttpAnswer;
using testing::PostgresServer;
using testing::Served;
using Json = nlohmann::json;
namespace {

/// Skips the test where there is no PostgreSQL, or no libpq.
PostgresServer& postgresql() {
  const std::string why_not = PostgresServer::why_not();
  if (!why_not.empty()) SKIP("PostgreSQL: " << why_not);
  static PostgresServer server;
  return server;
}

/// What submits a file, and waits for nobody.
HttpAnswer submit(const Served& served, const std::string& text) {
  try {
    return served.send("POST", "/labs/predict/submissions", {{"files", {{"answers.toml", text}}}});
  } catch (const std::exception&) {
    return {};  // no connection any more
  }
}

/// Checks that each receipt has a graded attempt, of the same files, and that nothing was begun
/// that nobody has sent.
void check_receipts(const Served& served, const std::map<std::int64_t, std::string>& receipts,
                    std::size_t sent) {
  std::map<std::int64_t, Json> graded;
  const Json kept = served.get("/labs/predict/attempts").json();
  for (const Json& attempt : kept.at("attempts")) {
    const auto id = attempt["id"].get<std::int64_t>();
    graded[id] = served.wait_for(id);
    CAPTURE(id);
    CHECK(graded[id]["state"] == "done");
    CHECK(graded[id].contains("score"));
  }
  CHECK_FALSE(receipts.empty());
  CHECK(graded.size() <= sent);
  for (const auto& [id, receipt] : receipts) {
    CAPTURE(id, receipt);
    REQUIRE(graded.contains(id));
    const auto hash = graded[id]["files_hash"].get<std::string>();
    CHECK(receipt.starts_with(fmt::format("{}-{}", id, hash.substr(0, 12))));
  }
}

}  // namespace

TEST_CASE(
    "on PostgreSQL, killed at any moment, the server loses no submission and grades none twice",
    "[serve]") {
  PostgresServer& server = postgresql();
  const std::string url = server.new_database();
  const ScratchFolder data;
  const unsigned seed = std::random_device()();
  CAPTURE(seed);
  std::mt19937 random(seed);
  constexpr std::size_t kKills = 18;
  std::map<std::int64_t, std::string> receipts;  // by attempt
  std::optional<Served> served;
  for (std::size_t i = 0; i < kKills; ++i) {
    if (!served) served.emplace(data.path(), std::vector<std::string>{"--database", url});
    HttpAnswer answer;
    std::thread client([&] { answer = submit(*served, fmt::format("# {}\n", i)); });
    // Around the receipt, or while something is graded.
    const unsigned most_us = i % 2 == 0 ? 20'000 : 400'000;
    std::this_thread::sleep_for(std::chrono::microseconds(random() % most_us));
    // The server, its connections, or PostgreSQL itself.
    switch (i % 3) {
      case 0:
        served->end(SIGKILL);
        break;
      case 1:
        server.end_connections(url);
        break;
      default:
        server.stop();
    }
    client.join();
    if (i % 3 == 0) served.reset();
    if (i % 3 == 2) server.start();
    CHECK((answer.status == 201 || answer.status == 503 || answer.status == 0));
    if (answer.status == 201) {
      receipts[answer.json()["id"].get<std::int64_t>()] = answer.json()["receipt"];
    }
  }
  if (!served) served.emplace(data.path(), std::vector<std::string>{"--database", url});
  check_receipts(*served, receipts, kKills);
  CHECK(server.run(url, "SELECT count(*) FROM result") ==
        server.run(url, "SELECT count(*) FROM attempt"));
}

TEST_CASE("the password of a database is in no list of processes and no message", "[serve]") {
  PostgresServer& server = postgresql();
  const std::string url = PostgresServer::with_password(server.new_database());
  const ScratchFolder data;
  const std::string file = (data.path() / "password").string();
  write_file_atomically(file, std::string(PostgresServer::kPassword) + "\n");
  const Served served(data.path(), {"--database", url, "--database-password-file", file});
  CHECK(served.get("/").status == 200);
  CHECK_FALSE(contains(read_file(fmt::format("/proc/{}/cmdline", served.pid())),
                       PostgresServer::kPassword));
  const auto refused = [&](const std::vector<std::string>& options) {
    std::vector<std::string> all = {"serve", "--port", "0", "--data", (data.path() / "b").string()};
    all.insert(all.end(), options.begin(), options.end());
    const ProcessResult result = testing::warpgrade(all);
    CHECK_FALSE(contains(result.err, PostgresServer::kPassword));
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    return fmt::format("{}: {}", result.code, result.err);
  };
  CHECK(
      contains(refused({"--database", url, "--database-password-file", file}),
               "2: warpgrade: another `warpgrade serve` uses the database postgresql://locked@/"));
  CHECK(contains(refused({"--database", url}), "3: warpgrade: The database postgresql://locked@/"));
  CHECK(contains(refused({"--database", url}), "wants a password: name a file with it"));
  CHECK(contains(refused({"--database", std::string("postgresql://labs:") +
                                            PostgresServer::kPassword + "@db/labs"}),
                 "2: warpgrade: --database has a password"));
  write_file_atomically(file, "geheim");
  CHECK(contains(refused({"--database", url, "--database-password-file", file}),
                 "password authentication failed for user \"locked\""));
}

}  // namespace warpgrade
