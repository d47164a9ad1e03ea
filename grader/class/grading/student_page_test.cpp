#include "grader/class/grading/student_page.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/class/table/gradebook.h"
#include "grader/core/files.h"
#include "grader/judge/assess/before_release.h"
#include "grader/judge/rubric/score.h"
#include "grader/record/grade/grade_json.h"
#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Grade attempt(const Lab& lab, int number) {
  Grade grade;
  grade.lab = lab.id;
  grade.lab_title = lab.title;
  grade.student = "s01";
  grade.attempt = number;
  grade.started = "2026-11-21T09:30:00Z";
  grade.summary = "To fix in attempt " + std::to_string(number) + ".";
  const Evidence evidence = testing::right_evidence(lab);
  grade.items = score_items(evidence);
  grade.before_release = before_release(evidence, grade.items, {}, {});
  grade.items[1].points = 0;
  grade.items[1].status = ItemStatus::failed;
  return grade;
}

TEST_CASE("a later attempt leaves the grade of the earlier one, and the page has both",
          "[grade_class][history]") {
  const Lab lab = testing::test_lab();
  const ScratchFolder out;
  const std::filesystem::path folder = out.path() / grade_folder("s01", "vecadd");
  write_grade(attempt(lab, 1), folder / "grade.json");
  const auto page_of = [&](int number) {
    return student_page(out.path(), attempt(lab, number), {}, Installation{});
  };
  CHECK_FALSE(contains(page_of(1), "Your attempts"));

  keep_earlier_attempt(folder, 1);
  CHECK(std::filesystem::exists(folder / "grade.json"));
  keep_earlier_attempt(folder, 2);
  CHECK_FALSE(std::filesystem::exists(folder / "grade.json"));
  const std::string page = page_of(2);
  CHECK(contains(page, "Your attempts"));
  CHECK(contains(page, "To fix in attempt 1."));

  SECTION("and a damaged one is a line that says so") {
    write_file_atomically(folder / "attempts" / "1" / "grade.json", "{");
    CHECK(contains(page_of(2), "Its grade.json is damaged; grade it again."));
  }
}

TEST_CASE("a page names hidden cases after the course's release date", "[grade_class][hidden]") {
  Lab lab = testing::test_lab();
  lab.cases[1].name = lab.performance_case = lab.concepts[0].on = "moonrise";
  lab.cases[1].visible = false;
  const ScratchFolder out;
  ClassRecord record;
  const auto names = [&] {
    return contains(student_page(out.path(), attempt(lab, 1), record, Installation{}), "moonrise");
  };
  CHECK_FALSE(names());
  record.course.release.at = now_utc() + std::chrono::hours(1);
  CHECK_FALSE(names());
  record.course.release.at = now_utc() - std::chrono::hours(1);
  CHECK(names());
}

}  // namespace
}  // namespace warpgrade
