#include "grader/judge/experiment/call_words.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "emulator/changes/call_edit.h"

namespace warpgrade {
namespace {

const std::vector<SourceFile> kSources = {{"src/a.cu",
                                           "void f(int n) {\n"
                                           "  cudaMemcpy(d_b, b, n, cudaMemcpyHostToDevice);\n"
                                           "  scan<<<blocks, 256>>>(totals, before, n - 1);\n"
                                           "  add<4><<<blocks,\n    256>>>(sums, totals, n);\n"
                                           "}\n"}};

/// An edit at a line, of a call, as in "5/add/1/@3:1".
warpsim::CallEdit edit_of(const std::string& text) {
  const auto edit = warpsim::parse_call_edit(std::string(warpsim::kCallEdit) + "a.cu:" + text);
  INFO(text);
  REQUIRE(edit);
  return *edit;
}

EditWords words(const std::string& text) {
  return words_of_call(edit_of(text), kSources);
}

std::string fix(const std::string& text) {
  return words(text).fix;
}

}  // namespace

TEST_CASE("an edit of a launch is said with the arguments that the source has",
          "[experiment][unit]") {
  CHECK(fix("5/add/1/@3:1") == "`before` in place of `totals` in the launch of `add`");
  CHECK(fix("4/add/1/<>0") == "`totals` and `sums` exchanged in the launch of `add`");
  CHECK(fix("3/scan/2/+1") == "1 more than `n - 1` in the launch of `scan`");
  CHECK(fix("3/scan/2/count=b#later") ==
        "the number of elements of `b` in place of `n - 1` in the later launches of `scan`");
  CHECK(words("3/scan/2/-1").kind == "another number than `n - 1` in the launch of `scan`");
  CHECK(words("5/add/1/@3:1").kind == "another argument than `totals` in the launch of `add`");
  CHECK(fix("9/add/1/@0") == "another argument in the launch of `add`");
  CHECK(fix("3/scan/grid.x/+1") == "one block more along x in the launch of `scan`");
  CHECK(fix("4/add/grid.y/ceil=2") == "a thread along y for each of `n` in the launch of `add`");
  CHECK(fix("4/add/call/none") == "the launch of `add` left out");
}

TEST_CASE("two arguments that an edit exchanges are known as the source has them",
          "[experiment][unit]") {
  const auto both = exchanged_arguments(edit_of("4/add/1/<>2"), kSources);
  REQUIRE(both);
  CHECK(both->first == "totals");
  CHECK(both->second == "n");
  CHECK_FALSE(exchanged_arguments(edit_of("4/add/1/@2"), kSources));
  CHECK_FALSE(exchanged_arguments(edit_of("9/add/1/<>2"), kSources));
}

TEST_CASE("an edit of a copy is said with its array", "[experiment][unit]") {
  CHECK(fix("2/cudaMemcpy/from/array=c") == "`c` as the source in `cudaMemcpy`");
  CHECK(fix("2/cudaMemcpy/to/@5:0") == "`sums` as the destination in `cudaMemcpy`");
  CHECK(fix("2/cudaMemcpy/bytes/all") == "the size of the whole array in `cudaMemcpy`");
  CHECK(words("2/cudaMemcpy/bytes/*4").kind == "another size in `cudaMemcpy`");
}

TEST_CASE("two calls in the other order are not taken for one left out", "[experiment][unit]") {
  CHECK(fix("3/scan/call/after=4") == "two calls in the other order");
}

TEST_CASE("one more is doubtful where the source has a plain name", "[experiment][unit]") {
  const auto weak = [](const warpsim::CallEdit& edit) { return is_weak(edit, kSources); };
  CHECK(weak(edit_of("4/add/2/-1")));
  CHECK_FALSE(weak(edit_of("3/scan/2/+1")));  // n - 1
  CHECK_FALSE(weak(edit_of("4/add/2/@3:2")));
  CHECK(weak(edit_of("4/add/call/none")));
  CHECK_FALSE(weak(edit_of("4/add/call/after=9")));
}

}  // namespace warpgrade
