#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>

#include "grader/class/table/class_record.h"
#include "grader/core/files.h"

namespace warpgrade {
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
namespace {

Instant at(std::string_view text) {
  std::string problem;
  return parse_instant(text, problem).value();
}

/// A course with three students and these decisions.
struct Graded {
  explicit Graded(const std::string& course, const std::string& decisions = "",
                  const std::string& groups = "") {
    write_file_atomically(folder.path() / "roster.csv", "student,name\ns01,A\ns02,B\ns03,C\n");
    if (!groups.empty()) write_file_atomically(folder.path() / "groups.csv", groups);
    if (!decisions.empty()) {
      write_file_atomically(folder.path() / "decisions" / "all.toml", "schema = 1\n" + decisions);
    }
    write_file_atomically(folder.path() / "course.toml",
                          "schema = 1\nroster = \"roster.csv\"\n" + course);
    record.course = load_course(folder.path() / "course.toml", {});
  }
  [[nodiscard]] static GradeRow row(const std::string& lab, double score,
                                    const std::string& student = "s01") {
    GradeRow row;
    row.student = student;
    row.lab = lab;
    row.score = score;
    row.max_score = 100;
    row.items = {{.id = "build", .points = 10, .max_points = 10},
                 {.id = "case", .points = score - 10, .max_points = 90}};
    return row;
  }
  void submitted(const std::string& lab, std::string_view when, const std::string& student = "s01",
                 int attempt = 1) {
    SubmissionRecord one;
    one.student = student;
    one.lab = lab;
    one.attempt = attempt;
    one.submitted = at(when);
    one.source = TimeSource::table;
    record.log.add(one);
  }
  ScratchFolder folder;
  ClassRecord record;
};

std::string decision(const std::string& kind, const std::string& more,
                     const std::string& hour = "10") {
  return "[[decision]]\nkind = \"" + kind +
         "\"\nstudent = \"s01\"\nlab = \"a\"\nby = \"ann\"\nat = 2026-11-30T" + hour + ":00:00Z\n" +
         more + "\n";
}

constexpr const char* kLate =
    "[late]\nper_day = 10\n[labs.a]\ndue = 2026-11-01T00:00:00Z\n"
    "[labs.b]\ndue = 2026-11-08T00:00:00Z\n";

TEST_CASE("points of an item are replaced, with the reason, before the late penalty",
          "[class_table][decisions]") {
  Graded graded(kLate, decision("points", "item = \"case\"\npoints = 80\nreason = \"unclear\""));
  graded.submitted("a", "2026-11-01T12:00:00Z");
  const Standing s = graded.record.standing(Graded::row("a", 60));
  CHECK(s.raw == 90);
  CHECK(s.adjusted == 81);
  CHECK(s.because.ends_with("; case 80 of 90 by ann: unclear"));
  // Another student and another lab are as they were.
  CHECK(graded.record.standing(Graded::row("b", 60)).adjusted == 60);
  CHECK(graded.record.standing(Graded::row("a", 60, "s02")).adjusted == 60);
}

TEST_CASE("points that a person sets count as they are, even after an internal error",
          "[class_table][decisions]") {
  Graded graded(kLate, decision("points", "points = 55\nreason = \"shown in the lab\""));
  graded.submitted("a", "2026-11-05T12:00:00Z");
  GradeRow row = Graded::row("a", 60);
  CHECK(graded.record.standing(row).adjusted == 55);
  CHECK(graded.record.standing(row).because ==
        "set to 55 of 100 instead of 60 by ann: shown in the lab");
  row.status = GradeStatus::error;
  CHECK(graded.record.standing(row).counts());
  CHECK(graded.record.standing(row).adjusted == 55);
}

TEST_CASE("a decision about an item that does not exist gives no score, and says where it is",
          "[class_table][decisions]") {
  const Graded graded("", decision("points", "item = \"cases\"\npoints = 80"));
  const Standing s = graded.record.standing(Graded::row("a", 60));
  CHECK_FALSE(s.counts());
  CHECK(s.withheld.starts_with("decisions/all.toml, decision 1: lab a has no item 'cases'"));
}

TEST_CASE("an item graded by hand adds to the points, and there is no score before it is graded",
          "[class_table][decisions]") {
  const std::string course =
      "[[labs.a.hand]]\nitem = \"report\"\ntitle = \"Report\"\npoints = 20\n";
  const Standing open = Graded(course).record.standing(Graded::row("a", 60));
  CHECK_FALSE(open.counts());
  CHECK(open.withheld == "Report is not graded by hand yet");
  CHECK(open.max == 120);
  const Graded graded(course, decision("points", "item = \"report\"\npoints = 15"));
  const Standing s = graded.record.standing(Graded::row("a", 60));
  CHECK(s.adjusted == 75);
  CHECK(s.max == 120);
}

TEST_CASE("an excused lab has no score, and does not count in the total",
          "[class_table][decisions]") {
  const Graded graded("[labs.a]\nweight = 1\n[labs.b]\nweight = 1\n",
                      decision("excuse", "reason = \"ill\""));
  Gradebook book;
  book.rows = {Graded::row("a", 20), Graded::row("b", 80), Graded::row("a", 20, "s02"),
               Graded::row("b", 80, "s02")};
  const Standing s = graded.record.standing(book.rows[0]);
  CHECK_FALSE(s.counts());
  CHECK(s.withheld == "excused by ann: ill");
  for (const CourseTotal& total : course_totals(graded.record, book)) {
    if (total.student == "s01") {
      CHECK(total.percent == 80);
      CHECK(total.without.empty());
    }
    if (total.student == "s02") CHECK(total.percent == 50);
  }
}

TEST_CASE("an extension is for one student and one lab", "[class_table][decisions]") {
  Graded graded(kLate, decision("extension", "days = 2\nreason = \"ill\""));
  for (const char* student : {"s01", "s02"}) {
    graded.submitted("a", "2026-11-02T12:00:00Z", student);
  }
  CHECK(graded.record.standing(Graded::row("a", 60)).adjusted == 60);
  CHECK(graded.record.standing(Graded::row("a", 60, "s02")).adjusted == 48);
  CHECK(graded.record.course.due("b", "s01") == at("2026-11-08T00:00:00Z"));
}

TEST_CASE("the budget of late days is used up in the order of due dates", "[class_table][late]") {
  Graded graded(
      "[late]\nper_day = 10\nfree_days = 3\n[labs.a]\ndue = 2026-11-01T00:00:00Z\n"
      "[labs.b]\ndue = 2026-11-08T00:00:00Z\n[labs.c]\ndue = 2026-11-15T00:00:00Z\n");
  graded.submitted("a", "2026-11-02T12:00:00Z");  // 2 days
  graded.submitted("b", "2026-11-09T12:00:00Z");  // 2 days, one of them free
  graded.submitted("c", "2026-11-15T12:00:00Z");  // 1 day
  const Standing a = graded.record.standing(Graded::row("a", 100));
  CHECK(a.late_days == 2);
  CHECK(a.free_days == 2);
  CHECK(a.adjusted == 100);
  CHECK(graded.record.standing(Graded::row("b", 100)).adjusted == 90);
  CHECK(graded.record.standing(Graded::row("c", 100)).adjusted == 90);
  // Somebody else has an own budget.
  graded.submitted("c", "2026-11-17T12:00:00Z", "s02");
  CHECK(graded.record.standing(Graded::row("c", 100, "s02")).adjusted == 100);
}

TEST_CASE("a curve bends a lab's points, and the total's its percentage", "[class_table][course]") {
  const Graded graded(
      "[total]\ncurve = [0, 0, 50, 60, 100, 100]\n"
      "[labs.a]\ncurve = [0, 0, 40, 50, 100, 100]\n");
  CHECK(graded.record.standing(Graded::row("a", 40)).adjusted == 50);
  CHECK(graded.record.standing(Graded::row("a", 70)).adjusted == 75);
  CHECK(graded.record.standing(Graded::row("a", 100)).adjusted == 100);
  Gradebook book;
  book.rows = {Graded::row("a", 40)};
  for (const CourseTotal& total : course_totals(graded.record, book)) {
    if (total.student == "s01") CHECK(total.percent == 60);
  }
}

TEST_CASE("the lowest lab is dropped, and a bonus lab adds and is never dropped",
          "[class_table][course]") {
  const Graded graded(
      "[total]\ndrop_lowest = 1\n[labs.a]\n[labs.b]\n[labs.c]\n"
      "[labs.extra]\nbonus = true\nweight = 0.1\n");
  Gradebook book;
  book.rows = {Graded::row("a", 30), Graded::row("b", 80), Graded::row("c", 90),
               Graded::row("extra", 20)};
  for (const CourseTotal& total : course_totals(graded.record, book)) {
    if (total.student != "s01") continue;
    CHECK(total.percent == 86);  // (80 + 90) / 2, and 0.1 * 20 / 2
    CHECK(total.without.empty());
  }
}

TEST_CASE("the only lab that counts is not dropped, also beside a bonus", "[class_table][course]") {
  const Graded graded(
      "[total]\ndrop_lowest = 1\n[labs.a]\n[labs.b]\n[labs.extra]\nbonus = true\nweight = 0.1\n",
      decision("excuse", "reason = \"ill\""));
  Gradebook book;
  book.rows = {Graded::row("b", 60), Graded::row("extra", 50)};
  for (const CourseTotal& total : course_totals(graded.record, book)) {
    if (total.student == "s01") CHECK(total.percent == 65);  // 60, and 0.1 * 50
  }
}

TEST_CASE("points by hand give a row to a student who submitted nothing",
          "[class_table][decisions]") {
  const Graded graded("", decision("points", "points = 40\nreason = \"on paper\""));
  Gradebook book;
  book.rows = {Graded::row("a", 60, "s02")};
  const Gradebook all = graded.record.with_hand_grades(book);
  REQUIRE(all.rows.size() == 2);
  CHECK(all.rows[0].student == "s01");
  CHECK(graded.record.standing(all.rows[0]).adjusted == 40);
  CHECK(graded.record.with_hand_grades(all).rows.size() == 2);
  CHECK(graded.record.without_effect(all).empty());
}

TEST_CASE("decisions that change no grade are listed", "[class_table][decisions]") {
  const Graded graded("", decision("points", "points = 40\nitem = \"nothing\"") +
                              decision("note", "text = \"see me\""));
  Gradebook book;
  book.rows = {Graded::row("a", 60)};
  CHECK_THAT(
      graded.record.without_effect(book),
      StartsWith("Decisions without effect (1):\n  decisions/all.toml, decision 1: lab a has "
                 "no item 'nothing'; correct it"));
  CHECK_FALSE(graded.record.standing(book.rows[0]).counts());
  book.rows = {Graded::row("b", 60)};
  CHECK_THAT(graded.record.without_effect(book),
             ContainsSubstring("decision 2: there are no grades for lab 'a'"));
}

}  // namespace
}  // namespace warpgrade
