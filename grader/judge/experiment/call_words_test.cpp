#include "grader/judge/experiment/call_words.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "emulator/changes/call_edit.h"

namespace warpgrade {
namespace {

const std::vector<SourceFile> kSources = {{"src/a.cu",
                                           "void f(int n) {\n"
                                           "  cudaMemcpy(d_b, b, n, cudaMemcpyHostToDevice);\n"
                                           "  scan<<<blocks, 256>>>(totals, before, n - 1);\n"
                                           "  add<4><<<blocks,\n    256>>>(sums, totals, n);\n"
                                           "}\n"}};

TriedEdit tried_edit(const warpsim::CallEdit& edit) {
  return {.text = to_text(edit),
          .file = edit.file,
          .line = edit.line,
          .kind = std::string(kind_of(edit)),
          .opcode = edit.call,
          .part = edit.part,
          .from = edit.later ? "later" : "all",
          .to = edit.to};
}

EditWords words(std::uint32_t line, const std::string& call, const std::string& part,
                const std::string& to, bool later = false) {
  const warpsim::CallEdit edit = {
      .file = "a.cu", .line = line, .call = call, .part = part, .to = to, .later = later};
  const TriedEdit tried = tried_edit(edit);
  CHECK(is_of_call(tried));
  return words_of_call(tried, kSources);
}

std::string fix(std::uint32_t line, const std::string& call, const std::string& part,
                const std::string& to, bool later = false) {
  return words(line, call, part, to, later).fix;
}

}  // namespace

TEST_CASE("an edit of a launch is said with the arguments that the source has",
          "[experiment][unit]") {
  CHECK(fix(5, "add", "1", "@3:1") == "`before` in place of `totals` in the launch of `add`");
  CHECK(fix(4, "add", "1", "<>0") == "`totals` and `sums` exchanged in the launch of `add`");
  CHECK(fix(3, "scan", "2", "+1") == "1 more than `n - 1` in the launch of `scan`");
  CHECK(fix(3, "scan", "2", "count=b", true) ==
        "the number of elements of `b` in place of `n - 1` in the later launches of `scan`");
  CHECK(words(3, "scan", "2", "-1").kind == "another number than `n - 1` in the launch of `scan`");
  CHECK(words(5, "add", "1", "@3:1").kind ==
        "another argument than `totals` in the launch of `add`");
  CHECK(fix(9, "add", "1", "@0") == "another argument in the launch of `add`");
  CHECK(fix(3, "scan", "grid.x", "+1") == "one block more along x in the launch of `scan`");
  CHECK(fix(4, "add", "grid.y", "ceil=2") ==
        "a thread along y for each of `n` in the launch of `add`");
  CHECK(fix(4, "add", "call", "none") == "the launch of `add` left out");
}

TEST_CASE("an edit of a copy is said with its array", "[experiment][unit]") {
  CHECK(fix(2, "cudaMemcpy", "from", "array=c") == "`c` as the source in `cudaMemcpy`");
  CHECK(fix(2, "cudaMemcpy", "to", "@5:0") == "`sums` as the destination in `cudaMemcpy`");
  CHECK(fix(2, "cudaMemcpy", "bytes", "all") == "the size of the whole array in `cudaMemcpy`");
  CHECK(words(2, "cudaMemcpy", "bytes", "*4").kind == "another size in `cudaMemcpy`");
}

TEST_CASE("two calls in the other order have two lines", "[experiment][unit]") {
  CHECK(fix(3, "scan", "call", "after=4") == "two calls in the other order");
  TriedEdit edit;
  edit.kind = "order";
  edit.to = "after=4";
  CHECK(other_line(edit) == 4);
  edit.kind = "call";
  CHECK(other_line(edit) == 0);
}

TEST_CASE("one more is doubtful where the source has a plain name", "[experiment][unit]") {
  const auto weak = [](std::uint32_t line, const char* call, const char* part, const char* to) {
    return is_weak(tried_edit({.file = "a.cu", .line = line, .call = call, .part = part, .to = to}),
                   kSources);
  };
  CHECK(weak(4, "add", "2", "-1"));
  CHECK_FALSE(weak(3, "scan", "2", "+1"));  // n - 1
  CHECK_FALSE(weak(4, "add", "2", "@3:2"));
  CHECK(weak(4, "add", "call", "none"));
  CHECK_FALSE(weak(4, "add", "call", "after=9"));
}

}  // namespace warpgrade
