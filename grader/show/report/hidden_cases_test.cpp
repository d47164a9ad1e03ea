#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/judge/assess/before_release.h"
#include "grader/judge/rubric/score.h"
#include "grader/show/report/feedback_page.h"
#include "grader/testing/evidence.h"
#include "grader/testing/report.h"

namespace warpgrade {
namespace {

using testing::before;
using testing::contains;
using testing::lab_with_hidden;
using testing::make_wrong;
using testing::right_evidence;
using testing::shown;
using testing::terminal_text;
using testing::test_lab;
using testing::wrong_grade;

TEST_CASE("before the release, only the number and points of hidden cases are shown",
          "[report][hidden]") {
  const Lab lab = lab_with_hidden();
  Grade grade = wrong_grade(lab);
  grade.summary = "Case \"moonrise\": hidden detail";
  grade.kernels_case = "moonrise";
  const StudentView seen = before(grade);
  CHECK(seen.grade.score() == grade.score());
  CHECK(seen.grade.max_score() == grade.max_score());
  for (const std::string& text : {terminal_text(seen), feedback_page(seen, {}, {})}) {
    CHECK(contains(text, "1 hidden case"));
    CHECK_FALSE(contains(text, "moonrise"));
    CHECK_FALSE(contains(text, "66666"));
    CHECK_FALSE(contains(text, "hidden detail"));
    CHECK_FALSE(contains(text, "hint of moonrise"));
    CHECK_FALSE(contains(text, "n = 1000"));
    CHECK_FALSE(contains(text, "secret finding"));
    CHECK(contains(text, "small"));
  }
  CHECK(contains(feedback_page(seen, {}, {}), "Not satisfied in a hidden case"));
  CHECK(contains(feedback_page(seen, {}, {}), "their results are shown from tomorrow"));
  CHECK(contains(feedback_page(seen, {}, {}), "In hidden cases only: memory that is never freed."));
}

TEST_CASE("after the release, hidden cases are like the others", "[report][hidden]") {
  const Lab lab = test_lab();
  const std::string page = feedback_page(shown(wrong_grade(lab)), {}, {});
  CHECK(contains(page, "hidden detail"));
  CHECK(contains(page, "66666"));
}

TEST_CASE("if only a hidden case is wrong, the first thing to fix says so and no more",
          "[report][hidden]") {
  const Lab lab = lab_with_hidden();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "tail", 768, 66666, 77777);
  Grade grade;
  grade.items = score_items(evidence);
  for (const CaseOutcome& c : evidence.cases) {
    grade.cases.push_back(c.report);
  }
  grade.summary = "Case \"moonrise\": c[768] is wrong.";
  grade.before_release = before_release(evidence, grade.items, {}, {});
  const StudentView seen = before(grade);
  CHECK(contains(seen.grade.summary, "All visible cases pass, and a hidden one fails."));
  CHECK_FALSE(contains(seen.grade.summary, "768"));
}

TEST_CASE("for a submission that does not build, the hidden cases are not named either",
          "[report][hidden]") {
  const Lab lab = lab_with_hidden();
  Evidence evidence;
  evidence.lab = &lab;
  evidence.build_problem = "It does not build.";
  Grade grade;
  grade.items = score_items(evidence);
  grade.before_release = before_release(evidence, grade.items, {}, {});
  const std::string page = feedback_page(before(grade), {}, {});
  CHECK(contains(page, "1 hidden case"));
  CHECK(contains(page, "small"));
  CHECK_FALSE(contains(page, "moonrise"));
}

}  // namespace
}  // namespace warpgrade
