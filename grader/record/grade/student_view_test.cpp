#include "grader/record/grade/student_view.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

Item item(const char* id, Category category, const char* message) {
  Item made;
  made.id = id;
  made.title = id;
  made.category = category;
  made.points = 10;
  made.max_points = 10;
  made.status = ItemStatus::passed;
  made.message = message;
  return made;
}

/// As written by an earlier version, without origins.
Grade old_grade() {
  Grade grade;
  grade.seconds = 12;
  grade.summary = "from somewhere";
  grade.pitfall = "P1";
  grade.failure = Failure::race;
  grade.items = {item("build", Category::build, "It builds."),
                 item("correctness/shown", Category::correctness, "Right."),
                 item("correctness/kept", Category::correctness, "hidden words"),
                 item("safety", Category::safety, "hidden words"),
                 item("concept/x", Category::concept_check, "hidden words"),
                 item("performance", Category::performance, "hidden words")};
  CaseReport shown;
  shown.name = "shown";
  CaseReport kept = shown;
  kept.name = "kept";
  kept.visible = false;
  grade.cases = {shown, kept};
  ReportedFinding both;
  both.kind = "leak";
  both.message = "words of the first case";
  both.cases = {"kept", "shown"};
  ReportedFinding one = both;
  one.message = "visible words";
  one.cases = {"shown"};
  grade.findings = {both, one};
  grade.kernels_case = "kept";
  grade.kernels.resize(1);
  grade.timing = Timing{.name = "kept", .source = "modelled"};
  grade.integrity = {{.kind = "ended-early", .message = "m", .evidence = "in 4092 cases"}};
  return grade;
}

TEST_CASE("of an earlier version's grade, students see only what must come from visible cases",
          "[grade][hidden]") {
  const StudentView view = student_view(old_grade(), false, "later");
  CHECK_FALSE(view.released);
  CHECK(view.hidden_cases == 1);
  const Grade& g = view.grade;
  REQUIRE(g.items.size() == 6);
  CHECK(g.items[0].message == "It builds.");
  CHECK(g.items[1].message == "Right.");
  CHECK(g.items[2].id == kHiddenItem);
  CHECK(g.items[2].message == "Later.");
  for (std::size_t i = 3; i < 6; ++i) CHECK(g.items[i].message == kShownAtRelease);
  CHECK(g.score() == old_grade().score());
  CHECK(g.summary == kShownAtRelease);
  CHECK(g.pitfall.empty());
  REQUIRE(g.findings.size() == 1);
  CHECK(g.findings[0].message == "visible words");
  CHECK(g.kernels.empty());
  CHECK_FALSE(g.timing);
  CHECK(g.integrity.empty());
  CHECK(g.failure == Failure::none);
  CHECK(g.seconds == 0);
  CHECK(g.cases.size() == 1);
}

TEST_CASE("after the release, and without hidden cases, nothing is left out", "[grade][hidden]") {
  Grade grade = old_grade();
  bool released = true;
  SECTION("released") {}
  SECTION("no case is hidden") {
    released = false;
    grade.before_release = BeforeRelease{};
  }
  const StudentView view = student_view(grade, released, "later");
  CHECK(view.released);
  CHECK(view.grade.items[3].message == "hidden words");
  CHECK(view.grade.cases.size() == 2);
  CHECK(view.grade.seconds == 12);
}

TEST_CASE("tool results of a hidden case are shown only if its data are public",
          "[grade][hidden]") {
  Grade grade = old_grade();
  CardProfile& profile = grade.profile.emplace();
  for (const char* name : {"kept", "shown", ""}) {
    profile.runs.emplace_back().name = name;
  }
  profile.counts.emplace_back().name = "kept";
  grade.before_release = BeforeRelease{.hidden_cases = 1};
  CHECK(student_view(grade, false, "").grade.profile->runs.size() == 2);
  CHECK(student_view(grade, false, "").grade.profile->counts.empty());
  grade.before_release->public_cases = {"kept"};
  CHECK(student_view(grade, false, "").grade.profile->runs.size() == 3);
  CHECK(student_view(grade, false, "").grade.profile->counts.size() == 1);
}

TEST_CASE("right answers to questions are not in what students see", "[grade_record][view]") {
  Grade grade;
  Item item;
  item.id = "questions/blocks";
  item.category = Category::questions;
  item.question = QuestionReport{.kind = "number",
                                 .text = "How many?",
                                 .options = {},
                                 .answer = "3",
                                 .expected = "4 blocks",
                                 .solution = "Rounded up."};
  grade.items = {item};
  for (const bool released : {false, true}) {
    const Item seen = student_view(grade, released, "").grade.items.front();
    CHECK(seen.question->answer == "3");
    CHECK(seen.question->expected.empty());
    CHECK(seen.question->solution.empty());
  }
  // Also where items were worded for students, as before the release of hidden cases.
  grade.before_release = BeforeRelease{.hidden_cases = 1, .assessment = {.items = {item}}};
  CHECK(student_view(grade, false, "").grade.items.front().question->expected.empty());
  CHECK(student_view(grade, false, "", true).grade.items.front().question->expected == "4 blocks");
  CHECK(student_view(grade, true, "", true).grade.items.front().question->solution ==
        "Rounded up.");
}

}  // namespace
}  // namespace warpgrade
