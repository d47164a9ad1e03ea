#include "grader/class/page/class_page.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/core/instant.h"
#include "grader/testing/evidence.h"
#include "grader/testing/report.h"

namespace warpgrade {
namespace {

using testing::check_no_requests;
using testing::contains;
using testing::test_lab;
using testing::wrong_grade;

TEST_CASE("the class page makes no requests", "[report][html]") {
  Gradebook book;
  book.rows = {row_of(wrong_grade(test_lab()))};
  check_no_requests(class_page(book, {}, {}));
}

TEST_CASE("the class page of a course has names, titles, penalties and a pass mark",
          "[report][html][course]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.student = "s01";
  grade.lab_title = "Vector addition";
  Gradebook book;
  book.rows = {row_of(grade), row_of(grade), row_of(grade)};
  book.rows[0].score = 95;
  book.rows[0].max_score = 100;
  book.rows[1].student = "s02";
  book.rows[1].score = 50;
  book.rows[1].max_score = 100;
  book.rows[2].student = "s03";
  book.rows[2].score = 0;
  book.rows[2].failure = Failure::no_submission;
  book.rows[2].summary = "no vecadd.cu was submitted";
  for (GradeRow& row : book.rows) {
    row.passed = false;
    row.status = GradeStatus::graded;
  }
  ClassRecord record;
  record.course.file = "course.toml";
  record.course.title = "Parallel programming";
  record.course.late.per_day = 10;
  std::string problem;
  record.course.labs[lab.id].due = parse_instant("2026-11-20T00:00:00Z", problem);
  for (const auto& [student, name] : {std::pair("s01", "Doe, Jane"), std::pair("s02", "Roe, Jim"),
                                      std::pair("s04", "Poe, <Ann>")}) {
    RosterEntry entry;
    entry.student = student;
    entry.name = name;
    record.course.roster.entries.push_back(entry);
  }
  SubmissionRecord late;
  late.student = "s02";
  late.lab = lab.id;
  late.source = TimeSource::table;
  late.submitted = parse_instant("2026-11-21T12:00:00Z", problem);
  record.log.add(late);

  std::string page = class_page(book, record, {});
  CHECK(contains(page, "<h1>Parallel programming</h1>"));
  CHECK(contains(page, "<bdi>Doe, Jane</bdi>"));
  CHECK(contains(page, "Vector addition"));
  CHECK(contains(page, "2 days late: 50 - 10"));
  CHECK(contains(page, "40 / 100"));
  // First the students with nothing gradable, and why.
  const std::size_t nothing = page.find("Nothing gradable</h2>");
  REQUIRE(nothing != std::string::npos);
  CHECK(nothing < page.find("no vecadd.cu was submitted"));
  CHECK(page.find("Poe, &lt;Ann&gt;") > nothing);
  CHECK(page.find("Poe, &lt;Ann&gt;") < page.find("id=\"course\""));
  CHECK(contains(page, "No submission."));
  // Without a pass mark, 95 of 100 is neither passed nor failed.
  CHECK(contains(page, "<span class=\"status partial\">not yet</span>"));
  CHECK_FALSE(contains(page, "<span class=\"status failed\">not yet</span>"));

  record.course.pass = 45;
  page = class_page(book, record, {});
  CHECK(contains(page, "3 grades, 3 students, 1 passed"));
  CHECK(contains(page, "<span class=\"status passed\">passed</span>"));
  // 50 points would pass; 40 count.
  CHECK(contains(page, "<span class=\"status failed\">not passed</span>"));
  CHECK(contains(page, "passed, from 45 %"));
  record.course.labs[lab.id].pass = 40;
  CHECK(contains(class_page(book, record, {}), "3 grades, 3 students, 2 passed"));
}

TEST_CASE("pitfalls that occur once are grouped", "[report][html]") {
  const Lab lab = test_lab();
  Gradebook book;
  for (const char* pitfall : {"P1", "P1", "P2", "P3"}) {
    book.rows.push_back(row_of(wrong_grade(lab)));
    book.rows.back().student = "s" + std::to_string(book.rows.size());
    book.rows.back().pitfall = pitfall;
  }
  const std::string page = class_page(book, {}, {});
  const std::size_t fold = page.find("2 pitfalls with one occurrence");
  REQUIRE(fold != std::string::npos);
  CHECK(page.find("<strong>P1</strong>") < fold);
  CHECK(page.find("<strong>P2</strong>") > fold);
  book.rows.resize(3);
  CHECK(contains(class_page(book, {}, {}), "1 pitfall with one occurrence"));
}

TEST_CASE("the class page counts, links and flags", "[report][html]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.student = "s 01&";
  grade.integrity = {{.kind = "ended-early", .message = "It left early.", .evidence = ""}};
  Gradebook book;
  book.rows = {row_of(grade)};
  const std::string page = class_page(book, {}, {});
  CHECK(contains(page, "1 grades, 1 students, 0 passed"));
  CHECK(contains(page, "href=\"s%2001%26/vecadd/feedback.html\""));
  CHECK(contains(page, "s 01&amp;"));
  CHECK(contains(page, "It left early."));
  CHECK(contains(page, "Most common pitfalls"));
}

}  // namespace
}  // namespace warpgrade
