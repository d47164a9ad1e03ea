// The sample class gets the verdicts that grader/tests/samples/expected.json promises.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "scripts/tests/command.h"

namespace warpgrade::test {
namespace {

using Catch::Matchers::ContainsSubstring;
using nlohmann::json;
namespace fs = std::filesystem;

json read_json(const fs::path& path) {
  INFO(path);
  REQUIRE(fs::exists(path));
  return json::parse(std::ifstream(path));
}

json expectations() {
  return read_json(source_folder() / "grader/tests/samples/expected.json");
}

fs::path submission(const std::string& student, const std::string& lab) {
  return source_folder() / "grader/tests/samples" / student / (lab + ".cu");
}

std::string warpgrade() {
  return build_folder() / "bin/warpgrade";
}

/// Categories with an item that is not fully passed.
std::set<std::string> failed_categories(const json& grade) {
  std::set<std::string> categories;
  for (const json& item : grade.at("items")) {
    const std::string status = item.at("status");
    if (status == "failed" || status == "partial") categories.insert(item.at("category"));
  }
  return categories;
}

std::set<std::string> finding_kinds(const json& grade) {
  std::set<std::string> kinds;
  for (const json& finding : grade.at("findings")) kinds.insert(finding.at("kind"));
  return kinds;
}

void compare(const json& grade, const json& expected) {
  const std::string summary = grade.at("summary");
  INFO(summary << "\nitems: " << grade.at("items").dump(1));
  if (expected.at("exit") == 0) {
    CHECK(grade.at("score") == grade.at("max_score"));
    CHECK(failed_categories(grade).empty());
    CHECK(finding_kinds(grade).empty());
  } else {
    CHECK(grade.at("score") < grade.at("max_score"));
  }
  for (const json& category : expected.at("failed")) {
    CHECK(failed_categories(grade).contains(category));
  }
  CHECK(grade.at("pitfall") == expected.value("pitfall", ""));
  CHECK_THAT(summary, ContainsSubstring(expected.value("summary", "")));
  if (expected.contains("finding")) CHECK(finding_kinds(grade).contains(expected["finding"]));
}

/// Calls visit(student, lab, expected) for every submission that has an expectation.
template <class Visit>
void for_each_expected(Visit visit) {
  const json all = expectations();
  for (const auto& [student, labs] : all.at("students").items()) {
    for (const auto& [lab, expected] : labs.items()) {
      INFO(student << " " << lab);
      visit(student, lab, expected);
    }
  }
}

TEST_CASE("every sample submission has an expectation and the other way round", "[user][samples]") {
  std::set<fs::path> files;
  const fs::path samples = source_folder() / "grader/tests/samples";
  for (const auto& entry : fs::recursive_directory_iterator(samples)) {
    if (entry.path().extension() == ".cu") files.insert(entry.path());
  }
  std::set<fs::path> expected;
  for_each_expected([&](const std::string& student, const std::string& lab, const json&) {
    expected.insert(submission(student, lab));
  });
  CHECK(files == expected);
}

TEST_CASE("grading the sample class gives each submission the expected verdict and pitfall",
          "[user][samples]") {
  if (run({"bwrap", "--unshare-all", "--dev-bind", "/", "/", "true"}).exit_code != 0) {
    SKIP("bubblewrap does not work here");
  }
  const ScratchFolder out;
  const Outcome outcome = run({warpgrade(), "grade", source_folder() / "grader/tests/samples",
                               "--out", out.path(), "--device", "emulator"});
  INFO(outcome.output);
  REQUIRE(outcome.exit_code == 0);
  CHECK(fs::exists(out.path() / "grades.json"));
  CHECK(fs::exists(out.path() / "grades.csv"));
  CHECK(fs::exists(out.path() / "index.html"));
  for_each_expected([&](const std::string& student, const std::string& lab, const json& expected) {
    const fs::path folder = out.path() / student / lab;
    CHECK(fs::exists(folder / "feedback.html"));
    compare(read_json(folder / "grade.json"), expected);
  });
}

TEST_CASE("check ends with the documented exit code for samples of each kind", "[user][samples]") {
  const ScratchFolder out;
  const json all = expectations();
  for (const char* student : {"s01-one-thread-each", "s03-no-guard", "s06-never-frees",
                              "s07-does-not-compile", "s08-never-ends", "s10-fake-grade"}) {
    const json& expected = all.at("students").at(student).at("vecadd");
    const fs::path report = out.path() / (std::string(student) + ".json");
    const Outcome outcome = run({warpgrade(), "check", "vecadd", submission(student, "vecadd"),
                                 "--json", report, "--device", "emulator"});
    INFO(student << "\n" << outcome.output);
    CHECK(outcome.exit_code == expected.at("exit"));
    CHECK(read_json(report).at("student").is_string());
  }
}

TEST_CASE("a compile error is shown at the student's own file and line", "[user][samples]") {
  const Outcome outcome =
      run({warpgrade(), "check", "vecadd", submission("s07-does-not-compile", "vecadd")});
  INFO(outcome.output);
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.output.find("vecadd.cu:9") != std::string::npos);
}

}  // namespace
}  // namespace warpgrade::test
