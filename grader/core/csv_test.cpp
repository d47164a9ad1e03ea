#include "grader/core/csv.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

using Fields = std::vector<std::string>;

TEST_CASE("a field is quoted where a reader would split it, and only there", "[core][csv]") {
  CHECK(csv_field("plain text") == "plain text");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"hi\"") == "\"say \"\"hi\"\"\"");
  CHECK(csv_field("two\nlines") == "\"two\nlines\"");
}

TEST_CASE("a field that a spreadsheet would take for a formula becomes text", "[core][csv]") {
  CHECK(csv_field("=1+1") == "'=1+1");
  CHECK(csv_field("+49") == "'+49");
  CHECK(csv_field("-x") == "'-x");
  CHECK(csv_field("@SUM(A1)") == "'@SUM(A1)");
  CHECK(csv_field("=a,b") == "\"'=a,b\"");
  CHECK(csv_field("a=b") == "a=b");
}

TEST_CASE("characters that reorder text are shown as escapes", "[core][csv]") {
  CHECK(csv_field("x\u202Ey") == "x\\u202ey");
}

TEST_CASE("a line keeps its empty first field", "[core][csv]") {
  CHECK(csv_line({"", "a", ""}) == ",a,\r\n");
}

TEST_CASE("what was written is read again, with the line of each row", "[core][csv]") {
  std::string problem;
  const auto rows =
      parse_csv("\xEF\xBB\xBFname,id\r\n\"a \"\"b\"\", c\nd\",1\n\nlast,\r\n", problem);
  CHECK(problem.empty());
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].fields == Fields{"name", "id"});
  CHECK(rows[1].fields == Fields{"a \"b\", c\nd", "1"});
  CHECK(rows[1].line == 2);
  CHECK(rows[2].fields == Fields{"last", ""});
  CHECK(rows[2].line == 5);
}

TEST_CASE("a quote that is never closed, or closed too early, is reported with its line",
          "[core][csv]") {
  std::string problem;
  CHECK(parse_csv("a,b\n\"c,d\n", problem).size() == 1);
  CHECK(problem == "2: unterminated quote");
  CHECK(parse_csv("\"a\"b,c\n", problem).empty());
  CHECK(problem == "1: text after a closing quote");
  CHECK(parse_csv("", problem).empty());
  CHECK(problem.empty());
}

TEST_CASE("a table's separator is a comma, a semicolon or a tab", "[core][csv]") {
  std::string problem;
  CHECK(separator_of("a,b,c\n1;2;3;4\n") == ',');
  CHECK(separator_of("a;b,x;c\n") == ';');
  CHECK(separator_of("\"a,b,c\";d\r\n") == ';');
  CHECK(separator_of("a\tb") == '\t');
  CHECK(separator_of("student\n") == ',');
  const auto rows = parse_csv("a;b\n\"x;y\";1,5\n", problem, ';');
  CHECK(problem.empty());
  CHECK(rows.at(1).fields == std::vector<std::string>{"x;y", "1,5"});
}

}  // namespace
}  // namespace warpgrade
