#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/core/files.h"
#include "grader/core/instant.h"
#include "grader/report/html.h"
#include "grader/report/source_view.h"
#include "grader/report/wording.h"
#include "grader/testing/evidence.h"
#include "grader/testing/report.h"

namespace warpgrade {
namespace {

using testing::contains;
using testing::shown;
using testing::test_lab;
using testing::wrong_grade;

TEST_CASE("a student's page marks the finding's line and embeds the pitfall's page",
          "[report][html]") {
  const Lab lab = test_lab();
  const ScratchFolder scratch;
  const Installation installation{.root = scratch.path()};
  // Not installation.pitfalls(): without pages beside the labs it names the project's own.
  const std::filesystem::path pages = scratch.path() / "docs" / "pitfalls";
  std::filesystem::create_directories(pages);
  write_file_atomically(pages / "P2.md", "# P2: Rounded down\n\nText of the page.\n");
  const std::string page = feedback_page(shown(wrong_grade(lab)), {}, installation);
  CHECK(contains(page,
                 "<div class=\"row marked\"><span class=\"h\"></span><span "
                 "class=\"no\">7</span><code>the bad line</code>"));
  CHECK(contains(page,
                 "<div class=\"row\"><span class=\"h\"></span><span "
                 "class=\"no\">6</span><code>6</code>"));
  CHECK(contains(page, "P2: Rounded down"));
  CHECK(contains(page, "Text of the page."));
}

TEST_CASE("every text from a submission is escaped", "[report][html]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  const std::string attack = "</pre></style><script>alert('x')</script>{{summary}}<!--scripts-->";
  grade.student = attack;
  grade.sources = {{.name = attack, .text = attack}};
  grade.output = attack;
  grade.build_log = attack;
  grade.findings[0].message = attack;
  grade.summary = attack;
  const std::string page = feedback_page(shown(grade), {}, {});
  CHECK_FALSE(contains(page, "<script>alert"));
  CHECK_FALSE(contains(page, "</pre></style>"));
  CHECK_FALSE(contains(page, "<!--scripts-->"));
  CHECK(contains(page, "{{summary}}"));
}

TEST_CASE("pages make no requests", "[report][html]") {
  const Lab lab = test_lab();
  Gradebook book;
  book.rows = {row_of(wrong_grade(lab))};
  for (const std::string& page :
       {feedback_page(shown(wrong_grade(lab)), {}, {}), class_page(book, {}, {})}) {
    CHECK_FALSE(contains(page, "<link"));
    CHECK_FALSE(contains(page, "<script src"));
    CHECK(contains(page, "default-src 'none'"));
    CHECK_FALSE(contains(page, "@import"));
    CHECK(contains(page, "prefers-color-scheme: dark"));
  }
}

TEST_CASE("an alias is stable, and depends on the secret", "[report][alias]") {
  CHECK(alias_of("s01", "a") == alias_of("s01", "a"));
  CHECK(alias_of("s01", "a") != alias_of("s01", "b"));
  CHECK(alias_of("s01", "a") != alias_of("s02", "a"));
}

TEST_CASE("a page has a history of attempts where there are several", "[report][history]") {
  const Lab lab = test_lab();
  const StudentView seen = shown(wrong_grade(lab));
  Attempt first = attempt_of(seen);
  CHECK(first.score == 5);
  CHECK(first.cases == 2);
  CHECK(first.cases_right == 0);
  CHECK(first.note == "Look at the grid.");
  CHECK_FALSE(contains(feedback_page(seen, {first}, {}), "Your attempts"));
  Attempt second = first;
  second.number = 2;
  second.score = 47.5;
  second.penalty = 4;
  second.counts = true;
  const std::string page = feedback_page(seen, {first, second}, {});
  CHECK(contains(page, "Your attempts"));
  CHECK(contains(page, "<td class=\"number\">+42.5</td>"));
  CHECK(contains(page, "-4 late"));
  CHECK(contains(page, "<tr class=\"own\" aria-current=\"true\"><th scope=\"row\">2 "));
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
