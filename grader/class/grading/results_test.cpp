#include "grader/class/grading/results.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/record/grade/grade_json.h"

namespace warpgrade {
namespace {

Grade a_grade(const std::string& pitfall) {
  Grade grade;
  grade.lab = "vecadd";
  grade.student = "s01";
  grade.pitfall = pitfall;
  grade.started = "2026-11-23T13:00:00Z";
  Item build;
  build.id = "build";
  build.max_points = 5;
  grade.items = {build};
  return grade;
}

Grade failed(const std::string& why) {
  Grade grade = a_grade("");
  grade.status = GradeStatus::error;
  grade.failure = Failure::harness_fault;
  grade.summary = why;
  return grade;
}

TEST_CASE("a grade that breaks the schema becomes an error record, which is written",
          "[grade_class][results]") {
  const ScratchFolder scratch;
  const auto file = scratch.path() / "grade.json";
  const auto write = [&](const Grade& grade) { write_grade(grade, file); };
  CHECK(write_or_fail(a_grade("P1"), write, failed).status == GradeStatus::graded);
  CHECK(read_grade(file).pitfall == "P1");
  const Grade error = write_or_fail(a_grade("no pitfall"), write, failed);
  CHECK(error.status == GradeStatus::error);
  CHECK(error.summary.starts_with(
      "Its grade cannot be written: the grade of s01 for vecadd violates docs/grade.schema.json"));
  CHECK(read_grade(file).status == GradeStatus::error);
}

TEST_CASE("invalid UTF-8 in a grade makes that grade an error", "[grade_class][results]") {
  const ScratchFolder scratch;
  const auto file = scratch.path() / "grade.json";
  const auto write = [&](const Grade& grade) { write_grade(grade, file); };
  Grade grade = a_grade("");
  grade.environment["\xFF"] = "a name";  // values are made printable, keys are ours
  CHECK(write_or_fail(grade, write, failed).failure == Failure::harness_fault);
  CHECK(read_grade(file).failure == Failure::harness_fault);
}

TEST_CASE("a full disk is not an error of one grade", "[grade_class][results]") {
  const auto full = [](const Grade&) { throw EnvironmentError("No space left on device"); };
  CHECK_THROWS_AS(write_or_fail(a_grade(""), full, failed), EnvironmentError);
  const auto stopped = [](const Grade&) { throw Interrupted(); };
  CHECK_THROWS_AS(write_or_fail(a_grade(""), stopped, failed), Interrupted);
}

}  // namespace
}  // namespace warpgrade
