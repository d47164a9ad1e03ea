#include "grader/class/table/gradebook.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "grader/core/error.h"
#include "grader/core/files.h"

namespace warpgrade {
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
namespace {

GradeRow row(const std::string& student, double score) {
  GradeRow r;
  r.student = student;
  r.lab = "vecadd";
  r.score = score;
  r.max_score = 100;
  r.passed = score == 100;
  r.points = {{Category::build, 5}};
  return r;
}

TEST_CASE("the table of grades quotes what CSV needs quoted", "[class_table][csv]") {
  Gradebook book;
  book.rows = {row("s01", 92.5)};
  book.rows[0].summary = "a \"b\", c\nd";
  book.rows[0].pitfall = "P46";
  CHECK(gradebook_csv(book) ==
        "student,lab,attempt,status,score,max_score,build,correctness,safety,concept,performance,"
        "questions,pitfall,flags,summary\r\n"
        "s01,vecadd,1,graded,92.5,100,5,0,0,0,0,0,P46,0,\"a \"\"b\"\", c\nd\"\r\n");
}

TEST_CASE("a spreadsheet cannot take a student's name for a formula", "[class_table][csv]") {
  Gradebook book;
  book.rows = {row("=cmd()", 0), row("+1", 0), row("s-1", 0)};
  const std::string csv = gradebook_csv(book);
  CHECK(csv.find("\r\n'=cmd(),") != std::string::npos);
  CHECK(csv.find("\r\n'+1,") != std::string::npos);
  CHECK(csv.find("\r\ns-1,") != std::string::npos);
}

TEST_CASE("a grade that is an internal error has no score anywhere", "[class_table]") {
  Gradebook book;
  book.rows = {row("s01", 0)};
  book.rows[0].status = GradeStatus::error;
  CHECK(gradebook_csv(book).find("s01,vecadd,1,error,,100,,,,,,") != std::string::npos);
  CHECK(gradebook_text(book).find("error") != std::string::npos);
  CHECK(gradebook_text(book).find("0 / 100") == std::string::npos);
}

TEST_CASE("rows are sorted by student and lab, whatever their order was", "[class_table]") {
  Gradebook book;
  book.rows = {row("s02", 0), row("s01", 100)};
  book.sort();
  CHECK(book.rows[0].student == "s01");
  const auto json = nlohmann::json::parse(gradebook_json(book));
  CHECK(json.at("grades").at(0).at("grade") == "s01/vecadd/grade.json");
  CHECK(json.at("grades").at(0).at("passed") == true);
}

TEST_CASE("a results folder without grades is wrong usage", "[class_table]") {
  const ScratchFolder scratch;
  CHECK_THROWS_MATCHES(read_gradebook(scratch.path()), UsageError,
                       MessageMatches(ContainsSubstring("contains no grades; expected")));
}

}  // namespace
}  // namespace warpgrade
