#include "grader/judge/experiment/structural_edits.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/experiment/source_edit_list.h"

namespace warpgrade {
namespace {

std::string kernel_with(const std::string& body) {
  return "__global__ void k(const float* in, float* out, int rows, int columns) {\n"
         "  const int i = threadIdx.x;\n  int j = blockIdx.x;\n  float sum = 0;\n" +
         body + "\n}\n";
}

struct StructuralEdit {
  std::string text, fix, kind;
  std::uint32_t line = 0;
};

/// Without blanks, which edits of statements do not keep.
std::string packed(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

std::vector<StructuralEdit> structural_edits_of(const std::string& body) {
  const std::string source = kernel_with(body);
  const std::vector<SourceToken> tokens = tokens_of(source);
  const std::vector<SourceFunction> functions = functions_in(tokens);
  std::vector<StructuralEdit> all;
  for (const SourceEdit& edit : structural_edits(tokens, functions, {0})) {
    std::string text = source;
    for (auto it = edit.replacements.rbegin(); it != edit.replacements.rend(); ++it) {
      text.replace(it->begin, it->end - it->begin, it->text);
    }
    all.push_back({packed(text), edit.fix, edit.kind, edit.line});
  }
  return all;
}

/// The edit that gives a body; fails if there is none.
StructuralEdit structural_edit_to(const std::string& body, const std::string& wanted) {
  const std::vector<StructuralEdit> all = structural_edits_of(body);
  const auto it = std::ranges::find(all, packed(kernel_with(wanted)), &StructuralEdit::text);
  INFO(wanted);
  REQUIRE(it != all.end());
  return *it;
}

bool may_become(const std::string& body, const std::string& wanted) {
  const std::vector<StructuralEdit> all = structural_edits_of(body);
  return std::ranges::find(all, packed(kernel_with(wanted)), &StructuralEdit::text) != all.end();
}

}  // namespace

TEST_CASE("an index is of another axis, or of the block", "[experiment][unit]") {
  CHECK(structural_edit_to("out[threadIdx.x] = 0;", "out[threadIdx.y] = 0;").kind ==
        "another index of thread or block than `threadIdx.x`");
  CHECK(may_become("out[threadIdx.x] = 0;", "out[blockIdx.x] = 0;"));
  CHECK_FALSE(may_become("out[threadIdx.x] = 0;", "out[blockDim.x] = 0;"));
  CHECK_FALSE(may_become("out[threadIdx.x] = 0;", "out[threadIdx.z] = 0;"));  // no z at all
  CHECK(structural_edit_to("j = blockIdx.y * blockDim.x + threadIdx.y;",
                           "j = blockIdx.x * blockDim.x + threadIdx.x;")
            .kind == "another axis of the indices");
}

TEST_CASE("variables are exchanged in one pair of brackets", "[experiment][unit]") {
  CHECK(
      may_become("out[i * rows + j] = in[i * rows + j];", "out[i * rows + j] = in[j * rows + i];"));
  CHECK_FALSE(may_become("out[i] = in[rows];", "out[in] = i[rows];"));
}

TEST_CASE("a loop has another start, limit, step or order", "[experiment][unit]") {
  const std::string loop = "for (int d = 0; d < rows; d += 32) out[d] = 0;";
  CHECK(structural_edit_to(loop, "for (int d = threadIdx.x; d < rows; d += 32) out[d] = 0;").kind ==
        "another start of the loop than `0`");
  CHECK(structural_edit_to(loop, "for (int d = 0; d < rows - 1; d += 32) out[d] = 0;").fix ==
        "`rows - 1` in place of `rows`");
  CHECK(may_become(loop, "for (int d = 0; d < columns; d += 32) out[d] = 0;"));
  CHECK(structural_edit_to(loop, "for (int d = 0; d < rows; d += blockDim.x) out[d] = 0;").fix ==
        "`blockDim.x` in place of `32`");
  CHECK_FALSE(may_become(loop, "for (int d = 0; d < rows; d += sum) out[d] = 0;"));
  CHECK(structural_edit_to("for (int d = rows / 2; d > 0; d /= 2) out[d] = 0;",
                           "for (int d = 1; d <= rows / 2; d *= 2) out[d] = 0;")
            .kind == "the loop in the opposite order");
  CHECK(may_become("for (int d = 1; d < rows; d *= 2) out[d] = 0;",
                   "for (int d = (rows) / 2; d > 0; d /= 2) out[d] = 0;"));
}

TEST_CASE("a statement moves into a loop, out of it, or past its neighbor", "[experiment][unit]") {
  CHECK(structural_edit_to("for (int d = 0; d < 2; ++d) { sum += in[d]; out[i] = sum; }",
                           "for (int d = 0; d < 2; ++d) { sum += in[d]; } out[i] = sum;")
            .kind == "one statement after the loop, not in it,");
  CHECK_FALSE(may_become("for (int d = 0; d < 2; ++d) { sum += in[d]; out[d] = sum; }",
                         "for (int d = 0; d < 2; ++d) { sum += in[d]; } out[d] = sum;"));
  CHECK(may_become("for (int d = 0; d < 2; ++d) { sum = 0; sum += in[d]; }",
                   "sum = 0; for (int d = 0; d < 2; ++d) { sum += in[d]; }"));
  CHECK(may_become("sum = 0; for (int d = 0; d < 2; ++d) { sum += in[d]; }",
                   "; for (int d = 0; d < 2; ++d) { sum = 0; sum += in[d]; }"));
  CHECK(may_become("for (int d = 0; d < 2; ++d) { sum += in[d]; } out[i] = sum;",
                   "for (int d = 0; d < 2; ++d) { sum += in[d]; out[i] = sum; };"));
  CHECK(structural_edit_to("j = 2; sum = j;", "sum = j; j = 2;").kind ==
        "two statements in the other order");
  CHECK_FALSE(may_become("j = 2; return;", "return; j = 2;"));
  CHECK_FALSE(may_become("if (i) j = 2; sum = j;", "if (i) sum = j; j = 2;"));
}

TEST_CASE("a condition or a statement is left out, or there is one more", "[experiment][unit]") {
  CHECK(structural_edit_to("if (i < rows) out[i] = 0;", "if (true) out[i] = 0;").fix ==
        "no condition `i < rows`");
  CHECK(may_become("if (i < rows) out[i] = 0;", "if (!(i < rows)) out[i] = 0;"));
  CHECK(structural_edit_to("out[i] = 0; j = 1;", "out[i] = 0; ;").kind == "one statement left out");
  CHECK(may_become("if (i < rows) j = 1; out[i] = 0;",
                   "if (i < rows) j = 1; if (i < rows) out[i] = 0;"));
  CHECK(may_become("if (i >= rows) return; out[i] = 0;",
                   "if (i >= rows) return; if (!(i >= rows)) out[i] = 0;"));
  CHECK_FALSE(may_become("{ int d = 0; if (d < rows) j = 1; } out[i] = 0;",
                         "{ int d = 0; if (d < rows) j = 1; } if (d < rows) out[i] = 0;"));
}

TEST_CASE("operators, functions and parentheses are others", "[experiment][unit]") {
  CHECK(structural_edit_to("j = i / rows;", "j = i % rows;").kind == "another operator than `/`");
  CHECK(may_become("sum = max(sum, in[i]);", "sum = min(sum, in[i]);"));
  CHECK_FALSE(may_become("const float* max = in;", "const float* min = in;"));
  CHECK(may_become("j = (i + 1) * rows;", "j = i + 1 * rows;"));
  CHECK(may_become("j = i + 1 * rows;", "j = (i + 1) * rows;"));
  CHECK_FALSE(may_become("const float* row = in + i;", "const float / row = in + i;"));
  CHECK(may_become("j = i < rows ? 1 : 2;", "j = i < rows ? 2 : 1;"));
  CHECK(may_become("for (;;) { if (i) break; j = 1; }", "for (;;) { if (i) continue; j = 1; }"));
}

TEST_CASE("the last thread stands for the first one, and a constant for a number",
          "[experiment][unit]") {
  const std::string constant = "constexpr int kBlock = 64;\n";
  CHECK(structural_edit_to(constant + "if (i == 0) sum = 1;",
                           constant + "if (i == kBlock - 1) sum = 1;")
            .kind == "another thread than `0`");
  CHECK(may_become(constant + "if (i == kBlock - 1) sum = 1;", constant + "if (i == 0) sum = 1;"));
  CHECK(may_become(constant + "if (i < 1) sum = 1;", constant + "if (i < kBlock) sum = 1;"));
  CHECK_FALSE(may_become(constant + "if (sum == 0) sum = 1;",
                         constant + "if (sum == kBlock - 1) sum = 1;"));
}

TEST_CASE("a kind of edits with a share has several turns at once", "[experiment][unit]") {
  const auto order = [](const std::map<std::string, std::size_t>& shares) {
    SourceEditList list;
    std::size_t place = 0;
    for (const char* const kind : {"many `a`", "many `b`", "many `c`", "one", "one"}) {
      list.add(SourceEditList::kUsual,
               {.replacements = {{place, place + 1, "x"}}, .line = 1, .kind = kind, .fix = ""});
      ++place;
    }
    std::string kinds;
    for (const SourceEdit& edit : std::move(list).in_turns(shares)) kinds += edit.kind[0];
    return kinds;
  };
  CHECK(order({}) == "momom");
  CHECK(order({{"many ", 2}}) == "mmomo");
}

}  // namespace warpgrade
