#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "grader/core/files.h"
#include "grader/testing/postgresql.h"
#include "grader/tests/program.h"
#include "grader/tests/served.h"

// `warpgrade serve --worker`: servers that run nothing themselves, and workers with folders of
// their own, which have nothing in common but a database of PostgreSQL.

namespace warpgrade {
using testing::contains;
using testing::HttpAnswer;
using testing::PostgresServer;
using testing::Served;
using Json = nlohmann::json;
namespace {

PostgresServer& postgresql_for_workers() {
  const std::string why_not = PostgresServer::why_not();
  if (!why_not.empty()) SKIP("PostgreSQL: " << why_not);
  static PostgresServer server;
  return server;
}

/// A worker in a folder of its own, which ends with the object.
class RunningWorker {
 public:
  explicit RunningWorker(std::vector<std::string> options) {
    options.insert(options.begin(), {testing::program(), "serve", "--worker", "--data",
                                     (folder_.path() / "data").string()});
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setenv("WARPGRADE_CACHE", "none", 1);
    ::setenv("XDG_STATE_HOME", "/dev/null", 1);
    ::setenv("TMPDIR", folder_.path().c_str(), 1);
    std::vector<char*> words;
    for (const std::string& word : options) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  RunningWorker(const RunningWorker&) = delete;
  RunningWorker& operator=(const RunningWorker&) = delete;
  ~RunningWorker() { end(SIGKILL); }

  int end(int signal) {
    if (pid_ <= 0) return 0;
    int status = 0;
    ::kill(pid_, signal);
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }

 private:
  ScratchFolder folder_;
  pid_t pid_ = -1;
};

/// A copy of a course's files, as on a machine of its own.
struct CourseCopy {
  CourseCopy() {
    write_file_atomically(path() / "course.toml",
                          "schema = 1\nroster = \"roster.csv\"\n[staff]\nann = \"instructor\"\n"
                          "[labs.vecadd]\ndue = 2099-01-02T00:00:00Z\n");
    write_file_atomically(path() / "roster.csv",
                          "student,name,email\ns01,Jane Doe,jane@example.org\n");
    write_file_atomically(path() / "secret", "a secret\n");
  }
  [[nodiscard]] const std::filesystem::path& path() const { return scratch.path(); }
  [[nodiscard]] std::vector<std::string> options() const {
    return {"--course", (path() / "course.toml").string(), "--secret-file",
            (path() / "secret").string()};
  }

  ScratchFolder scratch;
};

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Compiles, and counts until it is stopped by the emulator's limit: long enough to be canceled.
constexpr const char* kLong =
    "#include \"vecadd.h\"\n#include <cuda_runtime.h>\n"
    "__global__ void spin(volatile float* c) { for (;;) c[0] = c[0] + 1; }\n"
    "void vecadd(const float*, const float*, float* c, int n) {\n"
    "  float* d; cudaMalloc(&d, 4); spin<<<1, 32>>>(d); cudaDeviceSynchronize(); cudaFree(d);\n"
    "  for (int i = 0; i < n; ++i) c[i] = 0;\n}\n";

}  // namespace

TEST_CASE("workers elsewhere check and grade for a server that runs nothing itself",
          "[serve][any_compiler]") {
  testing::need_sandbox();
  PostgresServer& server = postgresql_for_workers();
  const std::string url = server.new_database();
  const CourseCopy course, first_copy, second_copy;
  const std::vector<std::string> database = {"--database", url};
  Served served(course.path() / "data",
                course.options() + database + std::vector<std::string>{"--jobs", "0"});
  const ProcessResult links = testing::warpgrade(
      std::vector<std::string>{"serve", "--data", (course.path() / "data").string(), "--port",
                               std::to_string(served.port()), "--invite", "s01"} +
      course.options() + database);
  REQUIRE(links.code == 0);
  served.sign_in(links.out.substr(links.out.find("token=") + 6, 64));
  const std::int64_t check = served.begin("checks", testing::right_source());
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  CHECK(served.get(fmt::format("/attempts/{}", check)).json()["state"] == "waiting");

  const RunningWorker first(first_copy.options() + database);
  const auto events = served.events(check);
  const Json checked = served.get(fmt::format("/attempts/{}", check)).json();
  CHECK(checked["message"] == "");
  REQUIRE(checked["state"] == "done");
  CHECK(contains(served.get(fmt::format("/attempts/{}/report", check)).body, "Vector addition"));
  CHECK(std::any_of(events.begin(), events.end(), [](const auto& event) {
    return event.at("event") == "step" && contains(event.at("data"), "case");
  }));

  const RunningWorker second(second_copy.options() + database);
  const std::int64_t submission = served.begin("submissions", testing::right_source());
  const Json graded = served.wait_for(submission);
  CHECK(graded["message"] == "");
  REQUIRE(graded["state"] == "done");
  CHECK(graded["points"] == "100 of 100");
  CHECK(contains(served.get("/grades").body, "100 of 100 points"));
  CHECK(contains(read_file(course.path() / "data/results/submissions.json"),
                 "\"source\": \"platform\""));
  // It is the grade of the command line, but for what says when and by which processes.
  CHECK(testing::warpgrade(std::vector<std::string>{
                               "serve", "--data", (course.path() / "data").string(),
                               "--write-submissions", (course.path() / "submitted").string()} +
                           course.options() + database)
            .code == 0);
  CHECK(testing::warpgrade(
            std::vector<std::string>{"grade", (course.path() / "submitted/vecadd").string(),
                                     "--lab", "vecadd", "--out", (course.path() / "again").string(),
                                     "--device", "emulator"} +
                course.options(),
            {{"WARPGRADE_CACHE", "none"}})
            .code == 0);
  const auto grade_in = [&](const char* results) {
    Json grade = Json::parse(read_file(course.path() / results / "s01/vecadd/grade.json"));
    for (Json& one : grade.at("cases")) one.erase("seconds");
    return grade;
  };
  const Json here = grade_in("again"), there = grade_in("data/results");
  for (const char* part : {"score", "max_score", "items", "cases", "headline"}) {
    CAPTURE(part);
    CHECK(here.value(part, Json()) == there.value(part, Json()));
  }
  CHECK(server.run(url, "SELECT count(*) FROM graded_file") == "0");
}

TEST_CASE("a worker with other files of the course gets nothing to do", "[serve][any_compiler]") {
  testing::need_sandbox();
  PostgresServer& server = postgresql_for_workers();
  const std::string url = server.new_database();
  const CourseCopy course, other;
  write_file_atomically(other.path() / "secret", "another secret\n");
  const std::vector<std::string> database = {"--database", url};
  const Served served(course.path() / "data",
                      course.options() + database + std::vector<std::string>{"--jobs", "0"});
  const RunningWorker worker(other.options() + database);
  for (int i = 0; i < 100 && server.run(url, "SELECT count(*) FROM worker") == "0"; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  CHECK(server.run(url, "SELECT count(*) FROM worker") == "1");
  server.run(
      url,
      "INSERT INTO attempt (person, lab, kind, state, requested_ms, files_hash, turn, rules) "
      "VALUES ('s01', 'vecadd', 'submission', 'waiting', 1, '', 1, 'the server''s')");
  std::this_thread::sleep_for(std::chrono::seconds(1));
  CHECK(server.run(url, "SELECT state FROM attempt") == "waiting");
}

TEST_CASE("workers that are killed at any moment lose no submission and grade none twice",
          "[serve][any_compiler]") {
  PostgresServer& server = postgresql_for_workers();
  const std::string url = server.new_database();
  const ScratchFolder data;
  const unsigned seed = std::random_device()();
  CAPTURE(seed);
  std::mt19937 random(seed);
  constexpr std::size_t kKills = 12, kEach = 3;
  const std::vector<std::string> options = {"--database", url, "--lease", "2"};
  std::optional<Served> served(std::in_place, data.path(),
                               std::vector<std::string>{"--database", url, "--jobs", "0"});
  std::vector<std::unique_ptr<RunningWorker>> workers;
  for (int i = 0; i < 2; ++i) workers.push_back(std::make_unique<RunningWorker>(options));
  std::set<std::int64_t> accepted;
  for (std::size_t i = 0; i < kKills; ++i) {
    for (std::size_t j = 0; j < kEach; ++j) {
      const Json files = {{"files", {{"answers.toml", fmt::format("# {} {}\n", i, j)}}}};
      const HttpAnswer answer = served->send("POST", "/labs/predict/submissions", files);
      REQUIRE(answer.status == 201);
      accepted.insert(answer.json()["id"].get<std::int64_t>());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 900));
    std::unique_ptr<RunningWorker>& victim = workers[i % workers.size()];
    if (i % 4 == 3) {
      // The server, which workers do without for a while.
      served->end(SIGKILL);
      served.emplace(data.path(), std::vector<std::string>{"--database", url, "--jobs", "0"});
    } else if (i % 4 == 2) {
      server.end_connections(url);
    } else {
      victim->end(SIGKILL);
      victim = std::make_unique<RunningWorker>(options);
    }
  }
  for (const std::int64_t id : accepted) {
    CAPTURE(id);
    const Json attempt = served->wait_for(id);
    CHECK(attempt["state"] == "done");
    CHECK(attempt.contains("score"));
  }
  CHECK(server.run(url, "SELECT count(*) FROM result") == std::to_string(kKills * kEach));
  CHECK(server.run(url, "SELECT count(*) FROM attempt") == std::to_string(kKills * kEach));
}

TEST_CASE("a worker that is asked to end gives back what it runs, and stops what is canceled",
          "[serve][any_compiler]") {
  PostgresServer& server = postgresql_for_workers();
  const std::string url = server.new_database();
  const ScratchFolder data;
  const std::vector<std::string> database = {"--database", url};
  const Served served(data.path(), database + std::vector<std::string>{"--jobs", "0"});
  const auto is_running = [](const auto& event) { return event.at("event") == "step"; };
  RunningWorker worker(database);
  const std::int64_t id = served.begin("submissions", kLong);
  served.events(id, "", is_running);
  const int status = worker.end(SIGTERM);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(server.run(url, fmt::format("SELECT state FROM attempt WHERE id = {}", id)) == "waiting");
  CHECK(server.run(url, "SELECT count(*) FROM worker") == "0");
  server.run(url, fmt::format("UPDATE attempt SET state = 'failed' WHERE id = {}", id));

  const RunningWorker next(database);
  const std::int64_t canceled = served.begin("checks", kLong);
  served.events(canceled, "", is_running);
  CHECK(served.send("POST", fmt::format("/attempts/{}/cancel", canceled), Json::object()).status ==
        200);
  // The worker is free for another one, long before this one would have ended.
  const std::int64_t after = served.begin("checks", testing::right_source());
  CHECK(served.wait_for(after)["state"] == "done");
  CHECK(served.get(fmt::format("/attempts/{}", canceled)).json()["state"] == "canceled");
}

}  // namespace warpgrade
