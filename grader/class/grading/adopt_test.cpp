#include "grader/class/grading/adopt.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/class/grading/receipt.h"
#include "grader/class/grading/results.h"
#include "grader/class/grading/student_page.h"
#include "grader/core/files.h"
#include "grader/core/source_root.h"
#include "grader/record/grade/grade_json.h"
#include "grader/submit/course/submission_log.h"
#include "grader/testing/report.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// A class's results folder, and graders' own ones that it takes over.
struct Folders {
  ScratchFolder scratch;
  fs::path out = scratch.path() / "out";
  fs::path course = scratch.path() / "course.toml";
  Installation installation{.root = kSourceRoot};

  Folders() { write_file_atomically(course, "schema = 1\n"); }

  /// The grade of an attempt by ada, in a folder of its own.
  [[nodiscard]] fs::path graded(int attempt, const std::string& summary) const {
    const fs::path from = scratch.path() / (std::to_string(attempt) + summary);
    Grade grade = testing::wrong_grade(testing::lab_with_hidden());
    grade.student = "ada";
    grade.attempt = attempt;
    grade.summary = summary;
    SubmissionLog log{.course = course, .layout = "attempts", .records = {}};
    SubmissionRecord record;
    record.student = "ada";
    record.lab = grade.lab;
    record.attempt = attempt;
    log.add(record);
    write_submission_log(from, log);
    write_results(from, grade, load_class_record(from, course), installation);
    write_receipt(from, row_of(grade), "key of " + summary, "");
    return from;
  }
  Adopted adopt(const fs::path& from) const {
    return adopt_grades(from, out, course, installation);
  }
  [[nodiscard]] Grade grade_in(const std::string& folder = "") const {
    const std::string lab = testing::lab_with_hidden().id;
    return read_grade(out / "ada" / lab / folder / "grade.json");
  }
};

}  // namespace

TEST_CASE("grades that are taken over have their times, pages and receipts", "[grading][adopt]") {
  const Folders f;
  CHECK(f.adopt(f.graded(1, "first")).grades == 1);
  CHECK(f.grade_in().summary == "first");
  CHECK(read_submission_log(f.out).records.size() == 1);
  const std::string lab = testing::lab_with_hidden().id;
  CHECK(find_receipt(f.out, "ada", lab, "key of first"));
  // The same attempt, graded again, replaces it.
  CHECK(f.adopt(f.graded(1, "again")).earlier.empty());
  CHECK(f.grade_in().summary == "again");
  CHECK_FALSE(find_receipt(f.out, "ada", lab, "key of first"));
  CHECK(f.adopt(f.graded(2, "second")).earlier.empty());
  CHECK(f.grade_in().summary == "second");
  CHECK(f.grade_in("attempts/1").summary == "again");
  CHECK(read_submission_log(f.out).records.size() == 2);
}

TEST_CASE("an earlier attempt that is graded after a later one does not replace it",
          "[grading][adopt]") {
  const Folders f;
  f.adopt(f.graded(2, "second"));
  CHECK(f.adopt(f.graded(1, "first")).earlier == std::vector<std::string>{"ada"});
  CHECK(f.grade_in().summary == "second");
  CHECK(f.grade_in("attempts/1").summary == "first");
}

TEST_CASE("an attempt that counts because it is the best is not taken for an old one",
          "[grading][adopt]") {
  const Folders f;
  f.adopt(f.graded(2, "second"));
  // Graded again, the first of two attempts is the best.
  const fs::path from = f.graded(1, "first");
  const std::string lab = testing::lab_with_hidden().id;
  write_file_atomically(from / "ada" / lab / kAttemptsFolder / "2" / "grade.json",
                        read_file(f.graded(2, "later") / "ada" / lab / "grade.json"));
  CHECK(f.adopt(from).earlier.empty());
  CHECK(f.grade_in().summary == "first");
  CHECK(f.grade_in("attempts/2").summary == "later");
}

TEST_CASE("a folder without grades changes nothing", "[grading][adopt]") {
  const Folders f;
  CHECK(f.adopt(f.scratch.path() / "none").grades == 0);
  CHECK_FALSE(fs::exists(f.out));
}

}  // namespace warpgrade
