#include "grader/class/table/changes.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/files.h"

namespace warpgrade {
namespace {

GradeRow row_with(const std::string& student, double correctness, double build = 5) {
  GradeRow row;
  row.student = student;
  row.lab = "vecadd";
  row.score = correctness + build;
  row.max_score = 100;
  for (const Category category : kCategories) row.points[category] = 0;
  row.points[Category::build] = build;
  row.points[Category::correctness] = correctness;
  return row;
}

Standing counts(double raw, int days = 0, double penalty = 0) {
  Standing s;
  s.raw = raw;
  s.max = 100;
  s.late_days = days;
  s.penalty = penalty;
  s.adjusted = raw - penalty;
  return s;
}

/// The class table of these grades, read back.
EarlierGrades written(const Gradebook& book, const std::vector<Standing>& standings) {
  const ScratchFolder out;
  write_file_atomically(out.path() / "grades.json", gradebook_json(book, standings));
  return read_earlier_grades(out.path());
}

TEST_CASE("only grades that changed are listed, with what changed in them",
          "[class_table][changes]") {
  Gradebook before;
  before.rows = {row_with("ada", 45), row_with("bob", 30), row_with("cleo", 50)};
  const EarlierGrades earlier = written(before, {counts(50, 2, 10), counts(35), counts(55)});
  Gradebook after;
  after.rows = {row_with("ada", 45), row_with("bob", 40), row_with("cleo", 50),
                row_with("dan", 50)};
  const GradeChanges changes =
      changes_of(earlier, after, {counts(50, 1, 5), counts(45), counts(55), counts(55)});
  CHECK(changes.compared == 3);
  CHECK(changes.fresh == 1);
  REQUIRE(changes.rows.size() == 2);
  CHECK(changes.rows[0].student == "ada");
  CHECK(changes.rows[0].before == "40 / 100");
  CHECK(changes.rows[0].after == "45 / 100");
  CHECK(changes.rows[0].why == "1 day late instead of 2 days late");
  CHECK(changes.rows[1].why == "correctness 30 to 40");
  const std::string text = changes_text(changes, 1);
  CHECK(text.find("ada") != std::string::npos);
  CHECK(text.find("bob") == std::string::npos);
  CHECK(text.find("... and 1 more\n2 of 3 grades change: 2 up, 0 down; 1 new\n") !=
        std::string::npos);
}

TEST_CASE("a change names its items and what the grade was made with that differs",
          "[class_table][changes]") {
  GradeRow before = row_with("ada", 45);
  before.items = {{"build", 5, 5}, {"correctness/a", 4, 4}, {"correctness/gone", 1, 2}};
  before.environment = {{"lab", "1"}, {"compiler", "nvcc 12.9"}, {"device", "emulator"}};
  GradeRow after = row_with("ada", 48);
  after.items = {{"build", 5, 5}, {"correctness/a", 6, 6}, {"correctness/new", 2, 2}};
  after.environment = {{"lab", "2"}, {"compiler", "nvcc 13.0"}, {"device", "emulator"}};
  Gradebook book, then;
  book.rows = {after};
  then.rows = {before};
  const auto changed = [&] {
    return changes_of(earlier_grades(then, {counts(50)}), book, {counts(53)},
                      [&](const GradeRow&) { return std::optional(then.rows[0]); });
  };
  REQUIRE(changed().rows.size() == 1);
  CHECK(changed().rows[0].items == std::vector<std::string>{"correctness/a: 4 of 4 to 6 of 6",
                                                            "correctness/new: none to 2 of 2",
                                                            "correctness/gone: 1 of 2 to none"});
  CHECK(changed().rows[0].cause ==
        "the lab's files or data, the compiler (nvcc 13.0 instead of nvcc 12.9)");
  CHECK(changes_text(changed(), 9).find("\n    correctness/a: 4 of 4 to 6 of 6\n") !=
        std::string::npos);
  then.rows[0].environment = after.environment;
  CHECK(changed().rows[0].cause == "nothing that it was graded with; two runs differ");
  // Unchanged points are not listed, whatever else differs.
  then.rows[0] = after;
  then.rows[0].environment.clear();
  CHECK(changes_of(earlier_grades(then, {counts(53)}), book, {counts(53)}).rows.empty());
}

TEST_CASE("nothing that changed is one line", "[class_table][changes]") {
  Gradebook book;
  book.rows = {row_with("ada", 45.123456789)};
  const EarlierGrades earlier = written(book, {counts(50.123456789)});
  const GradeChanges changes = changes_of(earlier, book, {counts(50.123456789)});
  CHECK(changes.rows.empty());
  CHECK(changes_text(changes, 9) == "0 of 1 grades change: 0 up, 0 down\n");
}

TEST_CASE("a submission without an earlier score is new, not a zero that went up",
          "[class_table][changes]") {
  Gradebook before;
  before.rows = {row_with("ada", 0, 0)};
  before.rows[0].status = GradeStatus::error;
  Standing withheld;
  withheld.withheld = "the grader failed";
  const EarlierGrades earlier = written(before, {withheld});
  Gradebook after;
  after.rows = {row_with("ada", 45)};
  const GradeChanges changes = changes_of(earlier, after, {counts(50)});
  REQUIRE(changes.rows.size() == 1);
  CHECK(changes.rows[0].before == "none");
  CHECK(changes.rows[0].difference == 0);
  CHECK(changes.rows[0].why == "could not be graded before");
}

TEST_CASE("a missing or damaged class table is ignored", "[class_table][changes]") {
  const ScratchFolder out;
  CHECK(read_earlier_grades(out.path()).empty());
  for (const char* text : {"", "{", "[]", "{\"grades\": [{}]}", "{\"grades\": 3}"}) {
    write_file_atomically(out.path() / "grades.json", text);
    CHECK(read_earlier_grades(out.path()).empty());
  }
}

}  // namespace
}  // namespace warpgrade
