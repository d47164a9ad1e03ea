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

/// As the device process says it (emulator/cudart/edit_trials.h).
TriedEdit tried_edit(std::uint32_t line, const std::string& call, const std::string& kind,
                     const std::string& part, const std::string& to, bool later = false) {
  return {.text = std::string(warpsim::kCallEdit) + "a.cu:1/" + call + "/" + part + "/" + to,
          .file = "a.cu",
          .line = line,
          .kind = kind,
          .opcode = call,
          .part = part,
          .from = later ? "later" : "all",
          .to = to};
}

EditWords words(std::uint32_t line, const std::string& call, const std::string& kind,
                const std::string& part, const std::string& to, bool later = false) {
  const TriedEdit tried = tried_edit(line, call, kind, part, to, later);
  CHECK(is_of_call(tried));
  return words_of_call(tried, kSources);
}

std::string fix(std::uint32_t line, const std::string& call, const std::string& kind,
                const std::string& part, const std::string& to, bool later = false) {
  return words(line, call, kind, part, to, later).fix;
}

}  // namespace

TEST_CASE("an edit of a launch is said with the arguments that the source has",
          "[experiment][unit]") {
  CHECK(fix(5, "add", "argument", "1", "@3:1") ==
        "`before` in place of `totals` in the launch of `add`");
  CHECK(fix(4, "add", "arguments exchanged", "1", "<>0") ==
        "`totals` and `sums` exchanged in the launch of `add`");
  CHECK(fix(3, "scan", "number", "2", "+1") == "1 more than `n - 1` in the launch of `scan`");
  CHECK(fix(3, "scan", "argument", "2", "count=b", true) ==
        "the number of elements of `b` in place of `n - 1` in the later launches of `scan`");
  CHECK(words(3, "scan", "number", "2", "-1").kind ==
        "another number than `n - 1` in the launch of `scan`");
  CHECK(words(5, "add", "argument", "1", "@3:1").kind ==
        "another argument than `totals` in the launch of `add`");
  CHECK(fix(9, "add", "argument", "1", "@0") == "another argument in the launch of `add`");
  CHECK(fix(3, "scan", "blocks", "grid.x", "+1") ==
        "one block more along x in the launch of `scan`");
  CHECK(fix(4, "add", "blocks", "grid.y", "ceil=2") ==
        "a thread along y for each of `n` in the launch of `add`");
  CHECK(fix(4, "add", "call", "call", "none") == "the launch of `add` left out");
}

TEST_CASE("an edit of a copy is said with its array", "[experiment][unit]") {
  CHECK(fix(2, "cudaMemcpy", "array", "from", "array=c") == "`c` as the source in `cudaMemcpy`");
  CHECK(fix(2, "cudaMemcpy", "array", "to", "@5:0") == "`sums` as the destination in `cudaMemcpy`");
  CHECK(fix(2, "cudaMemcpy", "size", "bytes", "all") ==
        "the size of the whole array in `cudaMemcpy`");
  CHECK(words(2, "cudaMemcpy", "size", "bytes", "*4").kind == "another size in `cudaMemcpy`");
}

TEST_CASE("two calls in the other order have two lines", "[experiment][unit]") {
  CHECK(fix(3, "scan", "order", "call", "after=4") == "two calls in the other order");
  TriedEdit edit;
  edit.kind = "order";
  edit.to = "after=4";
  CHECK(other_line(edit) == 4);
  edit.kind = "call";
  CHECK(other_line(edit) == 0);
}

TEST_CASE("one more is doubtful where the source has a plain name", "[experiment][unit]") {
  const auto weak = [](const TriedEdit& edit) { return is_weak(edit, kSources); };
  CHECK(weak(tried_edit(4, "add", "number", "2", "-1")));
  CHECK_FALSE(weak(tried_edit(3, "scan", "number", "2", "+1")));  // n - 1
  CHECK_FALSE(weak(tried_edit(4, "add", "argument", "2", "@3:2")));
  CHECK(weak(tried_edit(4, "add", "call", "call", "none")));
  CHECK_FALSE(weak(tried_edit(4, "add", "order", "call", "after=9")));
}

}  // namespace warpgrade
