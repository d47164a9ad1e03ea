#include "grader/submit/course/groups.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "harness/core/lab_error.h"

namespace warpgrade {
namespace {

Roster roster() {
  return parse_roster("student,sis_login\ns01,jdoe\ns02,jroe\ns03,apoe\n", "roster.csv");
}

std::string problem(const std::string& text) {
  try {
    (void)parse_groups(text, "groups.csv", roster());
    return "";
  } catch (const LabError& error) {
    return error.what();
  }
}

TEST_CASE("a group of a lab takes precedence over one of all labs", "[course][groups]") {
  const Groups groups =
      parse_groups("group,student,lab\nred,jdoe,\nred,s02,\nblue,s01,gemm\nblue,s03,gemm\n",
                   "groups.csv", roster());
  REQUIRE(groups.of("s01", "vecadd") != nullptr);
  CHECK(groups.of("s01", "vecadd")->students == std::vector<std::string>{"s01", "s02"});
  CHECK(groups.of("s01", "gemm")->name == "blue");
  CHECK(groups.of("s02", "gemm")->name == "red");
  CHECK(groups.of("s03", "vecadd") == nullptr);
}

TEST_CASE("a folder belongs to the group that its name begins with", "[course][groups]") {
  const Groups groups = parse_groups("group,student\nTeam 1,s01\nTeam 12,s02\n", "g.csv", roster());
  CHECK(groups.named("Team 1")->name == "Team 1");
  CHECK(groups.named("team 12-Jane Doe")->name == "Team 12");
  CHECK(groups.named("Team 123") == nullptr);
}

TEST_CASE("groups with unknown students, or a student in two, are named", "[course][groups]") {
  CHECK(problem("group,student\nred,s01\nblue,s02\n").empty());
  CHECK(problem("group,student\nred,s99\n").starts_with("groups.csv:2: there is no student 's99'"));
  CHECK(problem("group,student\nred,s01\nblue,jdoe\n").starts_with("groups.csv:3: s01 is also in"));
  CHECK(problem("group,student\nred,\n").starts_with("groups.csv:2: "));
}

}  // namespace
}  // namespace warpgrade
