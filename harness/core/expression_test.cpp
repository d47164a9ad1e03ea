#include "harness/core/expression.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace warpgrade {

namespace {

double value(std::string_view text) {
  return Expression(text).evaluate([](std::string_view name) -> double {
    if (name == "n") return 1000;
    if (name == "m.k") return 3;
    throw ExpressionError("unknown");
  });
}

std::string complaint(std::string_view text) {
  try {
    (void)value(text);
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("formulas follow the usual precedence", "[lab][expression]") {
  CHECK(value("1 + 2 * 3") == 7);
  CHECK(value("(1 + 2) * 3") == 9);
  CHECK(value("10 - 2 - 3") == 5);
  CHECK(value("12 / 4 / 3") == 1);
  CHECK(value("2 * -3") == -6);
  CHECK(value("--3") == 3);
  CHECK(value("7 / 2") == 3.5);
  CHECK(value("1e3 + .5") == 1000.5);
}

TEST_CASE("formulas know names and functions", "[lab][expression]") {
  CHECK(value("n * m.k") == 3000);
  CHECK(value("ceil_div(n, 256)") == 4);
  CHECK(value("ceil(2.1) + floor(2.9)") == 5);
  CHECK(value("log2(8) + sqrt(16)") == 7);
  CHECK(value("min(2, n) + max(2, n)") == 1002);
  CHECK(Expression("n + m.k * n").names() == std::vector<std::string>{"n", "m.k"});
}

TEST_CASE("conditions are 1 or 0, and bind looser than sums", "[lab][expression]") {
  CHECK(value("n > 999 and n <= 1000") == 1);
  CHECK(value("n < 1000 or n != 1000") == 0);
  CHECK(value("not n == 1000") == 0);
  CHECK(value("1 + 1 == 2 and (n >= 1001 or 2 * 3 == 6)") == 1);
  CHECK(value("(n > 1) + (n > 2)") == 2);
}

TEST_CASE("the second operand of a condition is evaluated only if it matters",
          "[lab][expression]") {
  CHECK(value("n == 0 and 1 / (n - n) > 2") == 0);
  CHECK(value("n == 1000 or 1 / (n - n) > 2") == 1);
}

TEST_CASE("an invalid formula is reported with the column and what was expected",
          "[lab][expression]") {
  CHECK(complaint("1 +") == "formula '1 +', column 4: expected a number, a name or '('");
  CHECK(complaint("(1") == "formula '(1', column 3: expected ')'");
  CHECK(complaint("1 2") == "formula '1 2', column 3: expected an operator or the end");
  CHECK(complaint("min(1)") == "formula 'min(1)', column 6: expected ',' and a second argument");
  CHECK(complaint("sin(1)") ==
        "formula 'sin(1)', column 1: expected one of ceil, floor, log2, sqrt, min, max, ceil_div "
        "in front of '('");
  CHECK(complaint("1 <") == "formula '1 <', column 4: expected a number, a name or '('");
  CHECK(complaint("") == "formula '', column 1: expected a number, a name or '('");
}

TEST_CASE("division by zero is an error, not an infinity", "[lab][expression]") {
  CHECK(complaint("1 / (n - n)") == "division by zero");
  CHECK(complaint("ceil_div(n, 0)") == "division by zero");
}

TEST_CASE("nesting is limited so that a file cannot exhaust the stack", "[lab][expression]") {
  CHECK(complaint(std::string(100000, '(')).ends_with("expected fewer nested parentheses"));
}

}  // namespace warpgrade
