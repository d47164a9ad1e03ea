#include <fmt/core.h>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/core/files.h"
#include "grader/tests/program.h"
#include "grader/tests/served.h"

// `warpgrade serve --course` with the commands that share its data.

namespace warpgrade {
using testing::contains;
using testing::Served;
using testing::warpgrade;
using Json = nlohmann::json;
namespace {

/// A folder with a course of one lab and two students.
struct CourseFolder {
  CourseFolder() {
    write_file_atomically(path() / "course.toml",
                          "schema = 1\nroster = \"roster.csv\"\n[staff]\nann = \"instructor\"\n"
                          "[late]\nper_day = 10\n[labs.vecadd]\ndue = 2099-01-02T00:00:00Z\n");
    write_file_atomically(path() / "roster.csv",
                          "student,name,email\ns01,Jane Doe,jane@example.org\ns02,,\n");
    write_file_atomically(path() / "secret", "a secret\n");
  }
  [[nodiscard]] const std::filesystem::path& path() const { return scratch.path(); }
  [[nodiscard]] std::string at(const std::string& name) const { return (path() / name).string(); }

  ScratchFolder scratch;
};

}  // namespace

TEST_CASE("a class that serve has graded is the command line's", "[serve]") {
  testing::need_sandbox();
  const CourseFolder course;
  const std::vector<std::string> serve = {"serve", "--course", course.at("course.toml"), "--data",
                                          course.at("data")};
  Served served(course.path() / "data",
                {"--course", course.at("course.toml"), "--secret-file", course.at("secret")});
  const auto serve_with = [&](std::vector<std::string> options) {
    options.insert(options.begin(), serve.begin(), serve.end());
    return warpgrade(options);
  };
  const std::string port = std::to_string(served.port());
  const ProcessResult links = serve_with({"--port", port, "--invite", "s01"});
  CHECK(links.code == 0);
  const std::string before =
      "s01,Jane Doe,jane@example.org,http://127.0.0.1:" + port + "/sign-in?token=";
  REQUIRE(contains(links.out, before));
  served.sign_in(links.out.substr(links.out.find(before) + before.size(), 64));

  const std::int64_t id = served.begin("submissions", testing::right_source());
  const Json attempt = served.wait_for(id);
  CHECK(attempt["message"] == "");
  REQUIRE(attempt["state"] == "done");
  CHECK(attempt["points"] == "100 of 100");
  CHECK(contains(served.get("/grades").body, "100 of 100 points"));
  CHECK(contains(served.get(fmt::format("/attempts/{}/report", id)).body, "Vector addition"));

  const std::string results = course.at("data/results");
  const std::string grade = read_file(course.path() / "data/results/s01/vecadd/grade.json");
  const ProcessResult exported = warpgrade({"export", results, "--to", "csv"});
  CHECK(exported.code == 0);
  CHECK(contains(exported.out, "s01,vecadd,1,graded,100,100"));
  // What was submitted is what was graded: nothing has to run again.
  CHECK(serve_with({"--write-submissions", course.at("submitted")}).code == 0);
  const ProcessResult again =
      warpgrade({"grade", course.at("submitted/vecadd"), "--lab", "vecadd", "--course",
                 course.at("course.toml"), "--secret-file", course.at("secret"), "--out", results,
                 "--device", "emulator", "--resume"},
                {{"WARPGRADE_CACHE", "none"}});
  CHECK(again.code == 0);
  CHECK(read_file(course.path() / "data/results/s01/vecadd/grade.json") == grade);
  CHECK(contains(read_file(course.path() / "data/results/submissions.json"),
                 "\"source\": \"platform\""));
}

TEST_CASE("a class that cannot be served is refused with what to do", "[serve]") {
  const CourseFolder course;
  const auto problem = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"serve", "--port", "0", "--data", course.at("data")});
    const ProcessResult result = warpgrade(options);
    CHECK(result.code == 2);
    return result.err;
  };
  const std::string file = course.at("course.toml");
  CHECK(contains(problem({"--course", file}), "--course needs --secret-file"));
  CHECK(contains(problem({"--secret-file", course.at("secret")}), "--course"));
  CHECK(contains(problem({"--course", file, "--secret-file", course.at("none")}), "none"));
  CHECK(contains(problem({"--course", file, "--invite", "all"}), "give its --port"));
  CHECK(contains(problem({"--course", file, "--url", "https://a.org", "--invite", "s03"}),
                 "--invite s03: nobody has this name"));
  CHECK(contains(problem({"--course", file, "--url", "a.org", "--invite", "s01"}), "--url is"));
  CHECK(contains(problem({"--course", file, "--write-submissions", course.at("x")}),
                 "no server of this class has run"));
  write_file_atomically(course.path() / "course.toml", "schema = 1\n");
  CHECK(contains(problem({"--course", file, "--secret-file", course.at("secret")}),
                 "names no roster"));
}

}  // namespace warpgrade
