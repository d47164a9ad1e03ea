#include "harness/variants/changes.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

namespace warpgrade {
namespace {

/// What the changes of a golden function with this body say.
std::set<std::string> changes_in(const std::string& body) {
  const std::string source = "WARPGRADE_GOLDEN(call) {\n" + body + "}\n";
  const SourceTokens tokens = tokens_of(source);
  const std::vector<SyntaxFunction> functions = functions_of(tokens);
  std::set<std::string> says;
  for (const GoldenChange& change : changes_of(tokens, functions, 1000)) says.insert(change.says);
  return says;
}

std::string in_place(const std::string& now, const std::string& before) {
  return "with `" + now + "` in place of `" + before + "`";
}

bool mentions(const std::set<std::string>& says, const std::string& text) {
  return std::any_of(says.begin(), says.end(),
                     [&](const std::string& one) { return one.find(text) != one.npos; });
}

const std::string kArrays = R"(
  const auto in = call.input<float>("in");
  const auto other = call.input<float>("other");
  const auto counts = call.input<std::int32_t>("counts");
  const auto out = call.floats("out");
  const auto n = static_cast<std::size_t>(call.dim("n"));
  const auto m = static_cast<std::size_t>(call.dim("m"));
)";

/// A sum of each row, with a condition.
const std::string kRows = kArrays + R"(
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    double condition = 0;
    for (std::size_t j = 0; j < m; ++j) {
      if (j > i) continue;
      sum += in[i * m + j];
      condition += std::abs(in[i * m + j]);
    }
    out.want[i] = sum / 2;
    out.condition[i] = condition;
  }
)";

TEST_CASE("an operator, an operand and the order of two are changed", "[variants][unit]") {
  const auto says = changes_in(kArrays + "out.want[n] = in[n] - other[m];\n");
  CHECK(says.contains(in_place("out[n] = in[n] + other[m]", "out[n] = in[n] - other[m]")));
  CHECK(says.contains(in_place("out[n] = in[n]", "out[n] = in[n] - other[m]")));
  CHECK(says.contains(in_place("out[n] = other[m]", "out[n] = in[n] - other[m]")));
  CHECK(says.contains(in_place("out[n] = other[m] - in[n]", "out[n] = in[n] - other[m]")));
}

TEST_CASE("what replaces an operand is in parentheses only where it binds less",
          "[variants][unit]") {
  const auto says = changes_in(kArrays + "out.want[0] = in[0] * (in[1] - other[m]);\n");
  CHECK(says.contains(
      in_place("out[0] = in[0] * (in[1] + other[m])", "out[0] = in[0] * (in[1] - other[m])")));
  CHECK(says.contains(in_place("out[0] = in[0] * in[1]", "out[0] = in[0] * (in[1] - other[m])")));
}

TEST_CASE("an index and a limit are one or two more or less", "[variants][unit]") {
  const auto says = changes_in(kRows);
  for (const char* by : {"+ 1", "- 1", "+ 2", "- 2"}) {
    CHECK(says.contains(
        in_place(std::string("sum += in[i * m + j ") + by + "]", "sum += in[i * m + j]")));
    CHECK(says.contains(in_place(std::string("j < m ") + by, "j < m")));
  }
  CHECK(says.contains(in_place("j <= m", "j < m")));
}

TEST_CASE("other variables stand in place of one, and two are exchanged", "[variants][unit]") {
  const auto says = changes_in(kRows);
  CHECK(says.contains(in_place("sum += in[i * n + j]", "sum += in[i * m + j]")));
  CHECK(says.contains(in_place("sum += in[j * m + i]", "sum += in[i * m + j]")));
  CHECK(says.contains("with `m` and `n` exchanged, wherever they are used") !=
        says.contains("with `n` and `m` exchanged, wherever they are used"));
  CHECK(says.contains("with `m` in place of `n`, wherever it is used"));
}

TEST_CASE("another input of the same type stands in place of one", "[variants][unit]") {
  const auto says = changes_in(kArrays + "out.want[0] = in[n] * other[m] + counts[m];\n");
  const std::string right = "out[0] = in[n] * other[m] + counts[m]";
  CHECK(says.contains(in_place("out[0] = other[n] * other[m] + counts[m]", right)));
  CHECK(mentions(says, "with `in` and `other` exchanged"));
  CHECK_FALSE(says.contains(in_place("out[0] = counts[n] * other[m] + counts[m]", right)));
}

TEST_CASE("two constants are exchanged wherever they are used", "[variants][unit]") {
  const auto says = changes_in(kArrays + R"(
  constexpr double kNear = 0.5;
  constexpr double kFar = 0.25;
  out.want[n] = kNear * in[n];
  out.want[m] = kFar * in[m];
)");
  CHECK(mentions(says, "with `kFar` and `kNear` exchanged, wherever they are used"));
}

TEST_CASE("elements are taken in reverse order", "[variants][unit]") {
  const auto says = changes_in(kRows);
  CHECK(says.contains(in_place("sum += in[i * m + m - 1 - j]", "sum += in[i * m + j]")) !=
        says.contains(in_place("sum += in[i * m + (m - 1 - j)]", "sum += in[i * m + j]")));
  CHECK(says.contains(in_place("out[n - 1 - i] = sum / 2", "out[i] = sum / 2")));
}

TEST_CASE("numbers are changed", "[variants][unit]") {
  const auto says = changes_in(kRows);
  CHECK(says.contains(in_place("sum = 1", "sum = 0")));
  CHECK(says.contains(in_place("i = 1", "i = 0")));
  CHECK(says.contains(in_place("out[i] = sum / 4", "out[i] = sum / 2")));
  CHECK(says.contains(in_place("out[i] = sum / 1", "out[i] = sum / 2")));
}

TEST_CASE("a condition holds always, never or in reverse, and ends the loop", "[variants][unit]") {
  const auto says = changes_in(kRows);
  CHECK(says.contains("if `j > i` never held"));
  CHECK(says.contains("if `j > i` always held"));
  CHECK(says.contains("with the test `j > i` reversed"));
  CHECK(says.contains("if the loop ended at `j > i`, `break` in place of `continue`"));
}

TEST_CASE("a statement is left out, and a sum keeps its value or has fewer bits",
          "[variants][unit]") {
  const auto says = changes_in(kRows);
  CHECK(says.contains("without `sum += in[i * m + j]`"));
  CHECK(says.contains("if `sum = 0` were done only once, before the loop around it"));
  CHECK(says.contains("if `sum` were a whole number"));
  CHECK(says.contains(in_place("sum = in[i * m + j]", "sum += in[i * m + j]")));
}

TEST_CASE("two statements that depend on each other change places", "[variants][unit]") {
  const auto says = changes_in(kArrays + R"(
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double before = sum;
    sum += in[i];
    out.want[i] = before;
  }
)");
  CHECK(says.contains("with `sum += in[i]` before `before = sum`"));
  CHECK(says.contains(in_place("out[i] = sum", "out[i] = before")));
  CHECK_FALSE(mentions(says, "`out[i] = before` before"));
}

TEST_CASE("functions are left out or exchanged", "[variants][unit]") {
  const auto says =
      changes_in(kArrays + "out.want[n] = std::max(std::sqrt(double{in[n]}), 0.0);\n");
  CHECK(
      says.contains(in_place("out[n] = min(sqrt(in[n]), 0.0)", "out[n] = max(sqrt(in[n]), 0.0)")));
  CHECK(says.contains(in_place("out[n] = sqrt(in[n])", "out[n] = max(sqrt(in[n]), 0.0)")));
  CHECK(says.contains(in_place("out[n] = max(in[n], 0.0)", "out[n] = max(sqrt(in[n]), 0.0)")));
}

TEST_CASE("a change that nobody would write is left out, and its neighbors are not",
          "[variants][unit]") {
  const auto sums = changes_in(kRows);
  CHECK_FALSE(mentions(sums, "sum / 0"));
  CHECK(mentions(sums, "sum / 4"));
  CHECK_FALSE(mentions(sums, "i < i"));
  CHECK_FALSE(mentions(sums, "with `j > j"));
  CHECK(sums.contains(in_place("j < i", "j < m")));
  const auto largest = changes_in(kArrays + R"(
  double want = in[0];
  double next = 0;
  for (std::size_t i = 1; i < n; ++i) {
    next = in[i];
    want = std::max(want, next);
    next = want - next;
  }
  out.want[0] = 2 * want - next;
)");
  CHECK_FALSE(mentions(largest, "`want = want`"));
  CHECK_FALSE(mentions(largest, "max(want, want)"));
  CHECK_FALSE(mentions(largest, "`next = next - next`"));
  CHECK_FALSE(mentions(largest, "0 * want"));
  CHECK(mentions(largest, "want + next"));
  CHECK(mentions(largest, "min(want, next)"));
  CHECK(mentions(largest, "1 * want"));
}

TEST_CASE("what concerns only the error bounds is left alone", "[variants][unit]") {
  const auto says = changes_in(kRows);
  CHECK(says.size() > 50);
  CHECK_FALSE(mentions(says, "condition"));
  CHECK_FALSE(mentions(says, "abs("));
}

TEST_CASE("constants of the compiler, references and unknown statements stay", "[variants][unit]") {
  const auto says = changes_in(kArrays + R"(
  constexpr double kHalf = 0.5;
  double& want = out.want[n];
  asm volatile("nop" : : "r"(7));
  want = kHalf * in[m];
)");
  CHECK_FALSE(mentions(says, "kHalf = "));
  CHECK_FALSE(mentions(says, "want = out[n] "));
  CHECK_FALSE(mentions(says, "7"));
  CHECK(says.contains(in_place("want = kHalf + in[m]", "want = kHalf * in[m]")));
}

TEST_CASE("the changes that say least are left out first", "[variants][unit]") {
  const std::string source = "WARPGRADE_GOLDEN(call) {\n" + kRows + "}\n";
  const SourceTokens tokens = tokens_of(source);
  const std::vector<SyntaxFunction> functions = functions_of(tokens);
  const auto all = changes_of(tokens, functions, 1000);
  const auto some = changes_of(tokens, functions, 20);
  CHECK(some.size() == 20);
  CHECK(std::all_of(some.begin(), some.end(), [](const auto& change) { return change.rank < 50; }));
  CHECK(std::any_of(all.begin(), all.end(), [](const auto& change) { return change.rank > 50; }));
}

}  // namespace
}  // namespace warpgrade
