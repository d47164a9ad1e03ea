#include "grader/judge/experiment/source_edits.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace warpgrade {
namespace {

/// The source with an edit, and what it says.
struct Edited {
  std::string text, fix, kind;
  std::uint32_t line = 0;
  std::vector<std::uint32_t> also;
  std::string pitfall;
};

std::vector<Edited> edits_of(const std::string& source) {
  const std::vector<SourceToken> tokens = tokens_of(source);
  const std::vector<SourceFunction> functions = functions_in(tokens);
  std::vector<Edited> all;
  for (const SourceEdit& edit : source_edits(tokens, functions, {0})) {
    std::string text = source;
    for (auto it = edit.replacements.rbegin(); it != edit.replacements.rend(); ++it) {
      text.replace(it->begin, it->end - it->begin, it->text);
    }
    all.push_back({text, edit.fix, edit.kind, edit.line, edit.also, edit.pitfall});
  }
  return all;
}

std::string kernel(const std::string& body) {
  return "__global__ void k(const float* in, float* out, int rows, int columns) {\n"
         "  const int i = threadIdx.x;\n  float factor = 2;\n  unsigned short narrow = 1;\n" +
         body + "\n}\n";
}

/// The edit that gives a body; fails if there is none.
Edited edit_to(const std::string& body, const std::string& wanted) {
  const std::vector<Edited> all = edits_of(kernel(body));
  const auto it = std::ranges::find(all, kernel(wanted), &Edited::text);
  INFO(wanted);
  REQUIRE(it != all.end());
  return *it;
}

bool can_become(const std::string& body, const std::string& wanted) {
  const std::vector<Edited> all = edits_of(kernel(body));
  return std::ranges::find(all, kernel(wanted), &Edited::text) != all.end();
}

}  // namespace

TEST_CASE("two variables of a line are exchanged wherever they are in it", "[experiment][unit]") {
  const Edited edit = edit_to("if (i < rows && i + 1 < columns) out[rows] = 0;",
                              "if (i < columns && i + 1 < rows) out[columns] = 0;");
  CHECK(edit.line == 5);
  CHECK(edit.fix == "`rows` and `columns` exchanged");
  CHECK_FALSE(can_become("out[i] = factor;", "out[factor] = i;"));  // of different types
  CHECK_FALSE(can_become("rows = columns;", "columns = rows;"));  // one is assigned
}

TEST_CASE("two variables of a guard are exchanged without the statement behind it",
          "[experiment][unit]") {
  const Edited edit = edit_to("if (i < rows && i + 1 < columns) out[rows] = 0;",
                              "if (i < columns && i + 1 < rows) out[rows] = 0;");
  CHECK(edit.fix == "`rows` and `columns` exchanged in the condition");
  CHECK(edit.pitfall == "P4");
  CHECK(edit_to("if (i < rows && i > 0) out[rows] = columns;",
                "if (i < columns && i > 0) out[columns] = rows;")
            .pitfall.empty());  // its index is another one, too
  CHECK(edit_to("if (rows > columns) out[i] = 0;", "if (columns > rows) out[i] = 0;")
            .pitfall.empty());  // no guard
}

TEST_CASE("another extent in a guard is a page of its own", "[experiment][unit]") {
  CHECK(edit_to("if (i >= rows || i >= rows) return;", "if (i >= rows || i >= columns) return;")
            .pitfall == "P4");
  CHECK(edit_to("if (i >= rows) return;", "if (i >= columns) return;").pitfall.empty());
  CHECK(edit_to("out[rows] = 0;", "out[columns] = 0;").pitfall.empty());
}

TEST_CASE("a variable takes the place of another one of its type", "[experiment][unit]") {
  CHECK(edit_to("out[rows] = 0;", "out[columns] = 0;").fix == "`columns` in place of `rows`");
  CHECK(edit_to("out[i] = 0;", "out[0] = 0;").kind == "another index than `i`");
  CHECK_FALSE(can_become("out[i] = in[i];", "in[i] = in[i];"));  // what is constant
  CHECK_FALSE(can_become("{ int j = 0; }\nout[i] = 0;", "{ int j = 0; }\nout[j] = 0;"));
}

TEST_CASE("a loop tests the variable that it counts", "[experiment][unit]") {
  const std::string loop = "for (int j = 0; j + 4 <= rows; j += 4) out[j] = 0;";
  CHECK(can_become(loop, "for (int j = 0; j + 4 <= columns; j += 4) out[j] = 0;"));
  CHECK(can_become(loop, "for (int j = 0; j + 4 <= rows; j += 4) out[i] = 0;"));
  CHECK_FALSE(can_become(loop, "for (int j = 0; i + 4 <= rows; j += 4) out[j] = 0;"));
}

TEST_CASE("limits of a loop change, which compiled code no longer has", "[experiment][unit]") {
  CHECK(edit_to("for (int d = 8 / 4; d > 0; d /= 2) out[d] = 0;",
                "for (int d = 8 / 2; d > 0; d /= 2) out[d] = 0;")
            .line == 5);
  CHECK(edit_to("for (int d = 1; d < kSize; d *= 2) out[d] = 0;",
                "for (int d = 1; d <= kSize; d *= 2) out[d] = 0;")
            .fix == "`<=` in place of `<`");
  CHECK(edit_to("for (int d = i; d < rows; d += gridDim.x) out[d] = 0;",
                "for (int d = i; d < rows; d += blockDim.x) out[d] = 0;")
            .kind == "another step than `gridDim.x`");
}

TEST_CASE("a loop takes the place of an if with one element per thread", "[experiment][unit]") {
  const Edited edit = edit_to("if (i < rows) out[i] = 0;",
                              "for (int own_ = i; own_ < rows; own_ += blockDim.x) out[own_] = 0;");
  CHECK(edit.fix == "a loop in steps of `blockDim.x` in place of `if`");
  CHECK_FALSE(can_become("if (i < rows) out[i] = 0; else out[i] = 1;",
                         "for (int own_ = i; own_ < rows; own_ += blockDim.x) out[own_] = 0; "
                         "else out[i] = 1;"));
}

TEST_CASE("types, conditions, operands and assignments change", "[experiment][unit]") {
  const std::vector<Edited> all = edits_of(kernel("out[narrow] = 0;"));
  CHECK(std::ranges::find(all, "`int` in place of `unsigned short`", &Edited::fix) != all.end());
  CHECK(can_become("if (i > 0 && i < rows) out[i] = 0;", "if (i > 0 ) out[i] = 0;"));
  CHECK(can_become("out[i] = in[i];", "out[i] = in[i] * factor;"));
  CHECK(can_become("out[i - 1] = 0;", "out[i ] = 0;"));
  CHECK(can_become("out[i] += 1;", "out[i] = 1;"));
  CHECK(can_become("out[in[0]] = 1;", "out[in[0]] += 1;"));
  CHECK(can_become("float own[2];\nown[i] = 1;", "float own[2];\nown[i] += 1;"));
  CHECK_FALSE(can_become("Map own[2];\nown[i] = own[0];", "Map own[2];\nown[i] += own[0];"));
}

TEST_CASE("an int becomes a float only where this compiles", "[experiment][unit]") {
  const auto becomes = [](const std::string& use) {
    return can_become("int own = 1;\n" + use, "float own = 1;\n" + use);
  };
  CHECK(becomes("out[i] = own / 2;"));
  CHECK(becomes("out[i] = own; use(&own);"));
  CHECK_FALSE(becomes("out[own + 1] = 0;"));
  CHECK_FALSE(becomes("out[in[0] + own] = 0;"));
  CHECK_FALSE(becomes("out[i] = own % 2;"));
  CHECK_FALSE(becomes("out[i] = 8 >> own;"));
  CHECK_FALSE(becomes("out[i] = rows & own;"));
}

TEST_CASE("two lines that say the same of two things are changed together", "[experiment][unit]") {
  const Edited edit =
      edit_to("if (i >= 'a' && i < 'z') out[i] = 1;\nif (i >= 'A' && i < 'Z') out[i] = 2;",
              "if (i >= 'a' && i <= 'z') out[i] = 1;\nif (i >= 'A' && i <= 'Z') out[i] = 2;");
  CHECK(edit.line == 5);
  CHECK(edit.also == std::vector<std::uint32_t>{6});
}

TEST_CASE("a mistake that is made in several places is undone in all of them",
          "[experiment][unit]") {
  const Edited ends = edit_to("out[i] = (rows - i) * (columns - i);",
                              "out[i] = (rows - i + 1) * (columns - i + 1);");
  CHECK(ends.kind == "1 added to `rows - i` and each other difference");
  CHECK(edit_to("int j = rows - i;", "int j = rows - i + 1;").kind == "1 added to `rows - i`");
  CHECK_FALSE(can_become("out[rows - i] = 0;", "out[rows - i + 1] = 0;"));  // an index
  const Edited term = edit_to("if (i < rows - 1) out[i] = 0;\nif (i < columns - 1) out[i + 1] = 0;",
                              "if (i < rows ) out[i] = 0;\nif (i < columns ) out[i + 1] = 0;");
  CHECK(term.kind == "no `- 1` everywhere");
  CHECK(term.also == std::vector<std::uint32_t>{6});
  CHECK(edit_to("out[i * 16] = in[16];", "out[i * 17] = in[17];").fix ==
        "`17` in place of `16` everywhere");
  CHECK(can_become("out[rows] = in[rows];", "out[columns] = in[columns];"));
  const std::vector<Edited> turned = edits_of(kernel("out[blockIdx.x] = in[blockIdx.y];"));
  const auto axes = std::ranges::find(turned, "x and y exchanged in `blockIdx`", &Edited::kind);
  REQUIRE(axes != turned.end());
  CHECK(axes->text == kernel("out[blockIdx.y] = in[blockIdx.x];"));
  CHECK(axes->pitfall == "P5");
  CHECK(edit_to("if (i < rows && i < columns) out[i] = 0;",
                "if (i < rows - 1 && i < columns - 1) out[i] = 0;")
            .kind == "1 less in all limits of the condition");
  CHECK(edit_to("for (int a = 0; a < rows; ++a)\nfor (int b = 0; b < columns; ++b) out[b] = 0;",
                "for (int a = 0; a <= rows; ++a)\nfor (int b = 0; b <= columns; ++b) out[b] = 0;")
            .kind == "another comparison than `<` in all of the loops");
  CHECK_FALSE(
      can_become("out[i] = i < rows ? i < columns : 0;", "out[i] = i <= rows ? i <= columns : 0;"));
}

TEST_CASE("what is missing is inserted", "[experiment][unit]") {
  CHECK(edit_to("for (int t = 0; t < rows / 16; ++t) out[t] = 0;",
                "for (int t = 0; t < ((rows + 16 - 1) / 16); ++t) out[t] = 0;")
            .kind == "`rows / 16` rounded up");
  CHECK_FALSE(can_become("out[0] = i / 16;", "out[0] = ((i + 16 - 1) / 16);"));  // no extent
  CHECK(edit_to("for (int c = 0; c < kColumns; ++c) out[c] = 0;",
                "for (int c = 0; c < columns; ++c) out[c] = 0;")
            .fix == "`columns` in place of `kColumns`");
  CHECK_FALSE(can_become("if (i < 2) out[i] = 0;", "if (i < columns) out[i] = 0;"));
  CHECK(edit_to("atomicAdd(out, in[0]);", "if (threadIdx.x == 0) atomicAdd(out, in[0]);").kind ==
        "`atomicAdd` by one thread of a block, not by all,");
  CHECK_FALSE(can_become("if (i == 0) atomicAdd(out, in[0]);",
                         "if (i == 0) if (threadIdx.x == 0) atomicAdd(out, in[0]);"));
  const auto compares_bits = [](const std::string& body) {
    return std::ranges::any_of(edits_of(kernel(body)), [](const Edited& edit) {
      return edit.kind.starts_with("the bits of floats compared as floats");
    });
  };
  CHECK(compares_bits("atomicMax((int*)out, __float_as_int(in[i]));"));
  CHECK_FALSE(compares_bits("atomicMax((int*)out, i);"));
}

TEST_CASE("arguments of the submission's own functions and indices are exchanged",
          "[experiment][unit]") {
  const std::string own = "__device__ int own(int a, int b) { return a - b; }\n";
  const std::string source = own + "__global__ void k(int* out) {\n  out[0] = own(1, 2);\n}\n";
  const std::vector<SourceToken> tokens = tokens_of(source);
  const auto edits = source_edits(tokens, functions_in(tokens), {1});
  CHECK(std::ranges::any_of(edits, [](const SourceEdit& edit) {
    return edit.fix == "the arguments of `own` exchanged" && edit.line == 3 &&
           edit.replacements.front().text == "2, 1";
  }));
  const std::string sum = "__device__ int sum(int* part, int own) { return part[0] + own; }\n";
  const std::string calls = sum + "__global__ void k(int* out) {\n  out[0] = sum(out, 2);\n}\n";
  const std::vector<SourceToken> others = tokens_of(calls);
  CHECK(std::ranges::none_of(source_edits(others, functions_in(others), {1}), [](const auto& edit) {
    return edit.kind == "two arguments exchanged";  // which would not compile
  }));
  const auto page = [](const std::string& type) {
    const std::string text = "__device__ " + type + " own(" + type + " a, " + type +
                             " b) { return b; }\n__global__ void k(" + type +
                             "* out) {\n  out[0] = own(out[1], out[2]);\n}\n";
    const std::vector<SourceToken> words = tokens_of(text);
    for (const SourceEdit& edit : source_edits(words, functions_in(words), {1})) {
      if (edit.fix == "the arguments of `own` exchanged") return edit.pitfall;
    }
    return std::string("no edit");
  };
  CHECK(page("Map") == "P53");
  CHECK(page("int").empty());  // may be an index of a row and a column
  CHECK(can_become("__shared__ float tile[4][4];\nout[i] = tile[i][1];",
                   "__shared__ float tile[4][4];\nout[i] = tile[1][i];"));
}

}  // namespace warpgrade
