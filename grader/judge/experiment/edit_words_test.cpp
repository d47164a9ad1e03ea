#include "grader/judge/experiment/edit_words.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace warpgrade {
namespace {

TriedEdit edit(std::string kind, std::string part, std::string from, std::string to,
               std::string opcode = "add.s32") {
  TriedEdit tried;
  tried.file = "scan.cu";
  tried.line = 2;
  tried.kind = std::move(kind);
  tried.opcode = std::move(opcode);
  tried.part = std::move(part);
  tried.from = std::move(from);
  tried.to = std::move(to);
  return tried;
}

/// Of line 2 of scan.cu.
std::string fix(const std::string& line, const TriedEdit& tried) {
  return words_of(tried, {{"src/scan.cu", "// < 1 + 2\n" + line + "\n"}}).fix;
}

TEST_CASE("a comparison is named as the source has it", "[experiment][unit]") {
  const TriedEdit past = edit("comparison", "word", "ge", "gt");  // a branch past what is guarded
  CHECK(fix("if (i < n) x = 1;", past) == "`<=` in place of `<`");
  CHECK(fix("if (i >= n) return;", past) == "`>` in place of `>=`");
  CHECK(fix("if (n > i) x = 1;", past) == "`>=` in place of `>`");
  CHECK(fix("x = y;", past) == "another comparison");
  CHECK(fix("if (i <= n) x = 1;", edit("comparison", "word", "le", "lt")) ==
        "`<` in place of `<=`");
}

TEST_CASE("an operator is named if the line has it", "[experiment][unit]") {
  CHECK(fix("x = a + b;", edit("operator", "word", "add", "sub")) == "`-` in place of `+`");
  CHECK(fix("x += b;", edit("operator", "word", "add", "sub")) == "`-` in place of `+`");
  CHECK(fix("x = a++;", edit("operator", "word", "add", "sub")) == "`--` in place of `++`");
  CHECK(fix("if (a && b)", edit("operator", "word", "and", "or")) == "`||` in place of `&&`");
  CHECK(fix("x = min(a, b);", edit("operator", "word", "min", "max")) ==
        "the maximum in place of the minimum");
  CHECK(fix("x = a - b * c;", edit("operator", "3", "value", "negated", "fma.rn.f32")) ==
        "`+` in place of `-`");
}

TEST_CASE("a number is named if the line has it, and not as a part of another",
          "[experiment][unit]") {
  CHECK(fix("x = a + 1;", edit("number", "2", "1", "2")) == "`2` in place of `1`");
  CHECK(fix("x = a + 1;", edit("number", "2", "1", "-1")) == "`-` in place of `+`");
  CHECK(fix("x = a - 1;", edit("number", "2", "-1", "-2")) == "`2` in place of `1`");
  CHECK(fix("x = a + 16;", edit("number", "2", "1", "2")) == "another number");
  CHECK(fix("x = i * n;", edit("number", "2", "p3", "-1")) == "1 less");
  CHECK(fix("x = i * n;", edit("number", "2", "value", "+1")) == "1 more");
  CHECK(fix("x = i * n;", edit("factor", "2", "value", "*4")) == "a factor of 4");
}

TEST_CASE("indices and elements are named in the words of CUDA", "[experiment][unit]") {
  CHECK(fix("", edit("index", "1", "tid.x", "tid.y")) == "`threadIdx.y` in place of `threadIdx.x`");
  CHECK(fix("", edit("index", "1", "ntid.x", "nctaid.x")) ==
        "`gridDim.x` in place of `blockDim.x`");
  CHECK(fix("", edit("element", "1", "address", "-4")) ==
        "the element before the one that is accessed");
  CHECK(fix("", edit("start value", "1", "0", "-inf")) == "-inf as the start value");
  CHECK(fix("", edit("variable", "2", "p2", "p3")) == "another variable");
}

TEST_CASE("what kind of change it is does not tell the code", "[experiment][unit]") {
  CHECK(words_of(edit("comparison", "word", "ge", "gt"), {}).kind == "another comparison");
  CHECK(words_of(edit("number", "2", "1", "2"), {}).kind == "another number");
  CHECK(words_of(edit("condition", "guard", "if", "negated"), {}).kind == "the opposite condition");
}

TEST_CASE("what the compiler made of a loop is told from what its line has", "[experiment][unit]") {
  const auto is_of_loop = [](const std::string& line, const TriedEdit& made) {
    return is_of_compiled_loop(made, {{"src/scan.cu", "\n" + line + "\n"}});
  };
  const TriedEdit reversed = edit("condition", "guard", "if", "negated");
  CHECK(is_of_loop("  for (; r + 4 <= rows; r += 4) {", reversed));
  CHECK(is_of_loop("while (i < n) {", reversed));
  CHECK_FALSE(is_of_loop("while (!done) {", reversed));
  CHECK_FALSE(is_of_loop("if (i < n) {", reversed));
  const TriedEdit start = edit("start value", "1", "0", "1");
  CHECK(is_of_loop("for (int i = threadIdx.x; i < n; i += 32)", start));
  CHECK_FALSE(is_of_loop("for (int i = 0; i < n; ++i)", start));
  CHECK_FALSE(is_of_loop("int counted = start;", start));
}

TEST_CASE("what kind of change it is names what the source has now", "[experiment][unit]") {
  const std::vector<SourceFile> sources = {{"src/scan.cu", "\nif (i < n) x = y + 16;\n"}};
  CHECK(words_of(edit("comparison", "word", "ge", "gt"), sources).kind ==
        "another comparison than `<`");
  CHECK(words_of(edit("number", "2", "16", "32"), sources).kind == "another number than `16`");
  CHECK(words_of(edit("number", "2", "17", "32"), sources).kind == "another number");
  CHECK(words_of(edit("index", "1", "nctaid.x", "ntid.x"), sources).kind ==
        "another index of thread or block than `gridDim.x`");
  CHECK(words_of(edit("variable", "2", "p4", "-1", "atom.global.inc.u32"), sources).kind ==
        "another limit of atomicInc");
  CHECK(words_of(edit("variable", "2", "p4", "p3", "atom.global.add.u32"), sources).kind ==
        "another variable");
}

}  // namespace
}  // namespace warpgrade
