#include "grader/submit/course/late.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "grader/class/table/class_record.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "harness/lab/lab.h"

namespace warpgrade {
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
namespace {

Instant instant(std::string_view text) {
  std::string problem;
  return parse_instant(text, problem).value();
}

/// vecadd is due at noon on the 20th; 10 % per day, at most 25 %, ten minutes of grace.
Course course() {
  Course c;
  c.labs["vecadd"].due = instant("2026-11-20T12:00:00Z");
  c.late.per_day = 10;
  c.late.cap = 25;
  c.late.grace = std::chrono::minutes(10);
  RosterEntry extended;
  extended.student = "extended";
  extended.extra_days = 2;
  c.roster.entries = {extended};
  return c;
}

Standing handed_in(const std::string& when, double raw = 90, const std::string& student = "s01") {
  SubmissionRecord record;
  record.student = student;
  record.lab = "vecadd";
  record.submitted = instant(when);
  record.source = TimeSource::table;
  return apply_late_policy(course(), record, raw, 100);
}

TEST_CASE("a submission at the due date, or within the grace, loses nothing", "[course][late]") {
  CHECK(handed_in("2026-11-20T12:00:00Z").adjusted == 90);
  const Standing graced = handed_in("2026-11-20T12:10:00Z");
  CHECK(graced.adjusted == 90);
  CHECK(graced.late_days == 0);
  CHECK_THAT(graced.because, ContainsSubstring("within the grace period of 10 minutes"));
}

TEST_CASE("after the grace period every started day costs, up to the cap", "[course][late]") {
  const Standing one = handed_in("2026-11-20T12:10:01Z");
  CHECK(one.late_days == 1);
  CHECK(one.penalty == 9);
  CHECK(one.adjusted == 81);
  CHECK(one.raw == 90);
  CHECK(handed_in("2026-11-21T12:00:00Z").late_days == 1);
  CHECK(handed_in("2026-11-21T12:00:01Z").late_days == 2);
  const Standing capped = handed_in("2026-11-30T12:00:00Z");
  CHECK(capped.late_days == 10);
  CHECK(capped.penalty == 22.5);
  CHECK(
      capped.because ==
      "submitted 2026-11-30T12:00:00Z (by the table of submission times), due "
      "2026-11-20T12:00:00Z: 10 days late, 10 % per day, capped = 25 % of 90, so 90 - 22.5 = 67.5");
}

TEST_CASE("an extension moves the due date and says so", "[course][late]") {
  CHECK(handed_in("2026-11-22T12:00:00Z", 90, "extended").late_days == 0);
  const Standing s = handed_in("2026-11-22T13:00:00Z", 90, "extended");
  CHECK(s.late_days == 1);
  CHECK_THAT(s.because, ContainsSubstring("due 2026-11-22T12:00:00Z with the extension"));
}

TEST_CASE("an unknown time costs nothing, and the sentence says so", "[course][late]") {
  SubmissionRecord record;
  record.student = "s01";
  record.lab = "vecadd";
  const Standing unknown = apply_late_policy(course(), record, 90, 100);
  CHECK(unknown.adjusted == 90);
  CHECK(unknown.because == "submission time unknown: no penalty");
  record.marked_late = true;
  const Standing marked = apply_late_policy(course(), record, 90, 100);
  CHECK(marked.adjusted == 90);
  CHECK_THAT(marked.because, ContainsSubstring("marked late by the learning platform"));
  record.lab = "gemm";
  CHECK(apply_late_policy(course(), record, 90, 100).because == "no due date");
}

TEST_CASE("a score of zero stays zero, and none is negative", "[course][late]") {
  CHECK(handed_in("2026-11-30T12:00:00Z", 0).adjusted == 0);
}

TEST_CASE("an internal error has no standing that could be read as a score", "[course][late]") {
  const ClassRecord record{.course = course(), .log = {}};
  GradeRow row;
  row.student = "s01";
  row.lab = "vecadd";
  row.max_score = 100;
  row.status = GradeStatus::error;
  CHECK_FALSE(record.standing(row).counts());
  row.status = GradeStatus::partial;
  CHECK_FALSE(record.standing(row).counts());
  row.status = GradeStatus::graded;
  CHECK(record.standing(row).counts());
}

TEST_CASE("a course's total skips labs without a score instead of counting them as 0",
          "[course][late]") {
  Course c = course();
  c.labs["vecadd"].weight = 3;
  c.labs["gemm"].weight = 1;
  c.labs["scan"].weight = 1;
  GradeRow vecadd;
  vecadd.student = "s01";
  vecadd.lab = "vecadd";
  vecadd.score = 80;
  vecadd.max_score = 100;
  GradeRow gemm = vecadd;
  gemm.lab = "gemm";
  gemm.score = 20;
  gemm.max_score = 50;
  GradeRow scan = vecadd;
  scan.lab = "scan";
  scan.score = 0;
  scan.status = GradeStatus::error;
  Gradebook book;
  book.rows = {vecadd, gemm, scan};
  const auto totals = course_totals({.course = c, .log = {}}, book);
  REQUIRE(totals.size() == 2);  // a student of the roster without work, and s01
  CHECK(totals[0].weight == 0);
  CHECK(totals[1].percent == 70);
  CHECK(totals[1].without == std::vector<std::string>{"scan"});
}

TEST_CASE("the log of submissions is kept, and a run of another lab adds to it", "[course][log]") {
  const ScratchFolder out;
  SubmissionLog log;
  log.layout = "canvas";
  SubmissionRecord record;
  record.student = "s01";
  record.lab = "vecadd";
  record.attempt = 2;
  record.attempts = 2;
  record.submitted = instant("2026-11-20T12:00:00Z");
  record.source = TimeSource::file;
  log.add(record);
  write_submission_log(out.path(), log);
  SubmissionLog second;
  record.lab = "gemm";
  record.submitted.reset();
  record.source = TimeSource::platform;
  record.marked_late = false;
  second.add(record);
  write_submission_log(out.path(), second);
  const SubmissionLog read = read_submission_log(out.path());
  CHECK(read.find("s01", "vecadd", 2).submitted == instant("2026-11-20T12:00:00Z"));
  CHECK(read.find("s01", "vecadd", 2).source == TimeSource::file);
  CHECK(read.find("s01", "gemm", 2).marked_late == false);
  CHECK_FALSE(read.find("s01", "vecadd", 1).submitted);
  CHECK(read_submission_log(out.path() / "nothing").records.empty());
  write_file_atomically(out.path() / "submissions.json", "{\"schema\": 1");
  CHECK_THROWS_MATCHES(read_submission_log(out.path()), UsageError,
                       MessageMatches(ContainsSubstring("is damaged; run `warpgrade grade`")));
}

TEST_CASE("the attempt that counts is the last one until a grade says which", "[course][log]") {
  const ScratchFolder out;
  SubmissionLog log;
  for (int attempt = 1; attempt <= 3; ++attempt) {
    SubmissionRecord record;
    record.student = "s01";
    record.lab = "vecadd";
    record.attempt = attempt;
    log.add(record);
  }
  CHECK(log.counting("s01", "vecadd").attempt == 3);
  CHECK(log.counting("s02", "vecadd").student == "s02");
  CHECK(log.set_counting("s01", "vecadd", 2));
  CHECK_FALSE(log.set_counting("s01", "vecadd", 2));  // known already
  CHECK_FALSE(log.set_counting("s01", "gemm", 1));
  CHECK(log.counting("s01", "vecadd").attempt == 2);
  write_submission_log(out.path(), log);
  CHECK(read_submission_log(out.path()).counting("s01", "vecadd").attempt == 2);
}

TEST_CASE("in a table of submission times the most specific line wins", "[course][log]") {
  Course c;
  RosterEntry entry;
  entry.student = "s01";
  entry.email = "j@x.org";
  c.roster.entries = {entry};
  const SubmittedTable table(c,
                             "student,submitted,lab,attempt\n"
                             "j@x.org,2026-11-01T00:00:00Z,,\n"
                             "s01,2026-11-02T00:00:00Z,vecadd,\n"
                             "s01,2026-11-03T00:00:00Z,vecadd,2\n",
                             "submitted.csv");
  CHECK(table.find("s01", "gemm", 1) == instant("2026-11-01T00:00:00Z"));
  CHECK(table.find("s01", "vecadd", 1) == instant("2026-11-02T00:00:00Z"));
  CHECK(table.find("s01", "vecadd", 2) == instant("2026-11-03T00:00:00Z"));
  CHECK_FALSE(table.find("s02", "vecadd", 1));
  CHECK_THROWS_MATCHES(
      SubmittedTable(c, "student,submitted\ns01,yesterday\n", "submitted.csv"), LabError,
      MessageMatches(ContainsSubstring("submitted.csv:2: column 'submitted': 'yesterday' is not")));
  c.labs["vecadd"] = {};
  const auto with_lab = [&](const std::string& lab) {
    return SubmittedTable(c, "student,submitted,lab\ns01,2026-11-02T00:00:00Z," + lab + "\n",
                          "submitted.csv");
  };
  CHECK_THROWS_MATCHES(with_lab("vecad"), LabError,
                       MessageMatches(ContainsSubstring(
                           "submitted.csv:2: there is no lab 'vecad' in course.toml; did you")));
  CHECK(with_lab("stencil").find("s01", "stencil", 1));  // of which the course says nothing
}

}  // namespace
}  // namespace warpgrade
