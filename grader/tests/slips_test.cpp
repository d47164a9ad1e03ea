#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/core/text.h"
#include "grader/tests/program.h"

// Wrong programs of which no formula and no experiment knows the cause: `check` names the line of
// the slip.

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::warpgrade;
namespace {

using Replacements = std::vector<std::pair<std::string, std::string>>;

/// What a student reads first about a program of reference/<lab> in which texts are replaced.
std::string shown(const std::string& lab, const std::string& file, const Replacements& slips) {
  std::string source = testing::reference_program(lab, file);
  for (const auto& slip : slips) {
    REQUIRE(contains(source, slip.first));
    source = replace_all(source, slip.first, slip.second);
  }
  const ScratchFolder folder;
  const fs::path submission = folder.path() / (lab + ".cu");
  write_file_atomically(submission, source);
  const ProcessResult result = warpgrade({"check", lab, submission.string(), "--device", "emulator",
                                          "--json", (folder.path() / "grade.json").string()});
  INFO(result.out << result.err);
  REQUIRE(fs::exists(folder.path() / "grade.json"));
  return nlohmann::json::parse(read_file(folder.path() / "grade.json")).at("summary");
}

TEST_CASE("a slip is named by its line, alone or after what the result is equal to",
          "[program][edits]") {
  CHECK(shown("differences", "stages/01_two_loads.cu", {{"i == 0 ?", "i <= 1 ?"}})
            .ends_with(" With another number at line 27 of differences.cu, all 9 visible cases are "
                       "correct; now 2 are."));
  CHECK(shown("stencil", "stages/01_thread_per_cell.cu", {{"x > 0 && x", "x >= 0 && x"}}) ==
        "With another number at line 31 of stencil.cu, all 12 visible cases are correct; now 3 "
        "are.");
}

TEST_CASE("a slip is named before the race that it leads to", "[program][edits]") {
  const std::string summary = shown("vecadd", "stages/01_one_thread_per_element.cu",
                                    {{"  if (i < n) c[i] = a[i] + b[i];",
                                      "  const int o = blockIdx.x * gridDim.x + threadIdx.x;\n"
                                      "  if (i < n && o < n) c[o] = a[i] + b[i];"}});
  CHECK(summary.starts_with(
      "With another index of thread or block than `gridDim.x` at line 26 of vecadd.cu, all 8 "
      "visible cases are correct; now 6 are. "));
  CHECK(contains(summary, "threads of two blocks write"));
}

TEST_CASE("a leak does not hide a slip", "[program][edits]") {
  CHECK(
      contains(shown("differences", "stages/01_two_loads.cu",
                     {{"i == 0 ?", "i <= 1 ?"},
                      {"  subtract<<<", "  void* kept;\n  cudaMalloc(&kept, 4);\n  subtract<<<"}}),
               "With another number at line 27 of differences.cu"));
}

TEST_CASE("of two slips none is named, since no one edit repairs both", "[program][edits]") {
  CHECK_FALSE(contains(shown("differences", "stages/01_two_loads.cu",
                             {{"i == 0 ? values[i] : values[i] - values[i - 1]",
                               "i <= 1 ? values[i] : values[i] - 2 * values[i - 1]"}}),
                       "With another"));
}

TEST_CASE("a slip of which the compiler leaves nothing is found in the source",
          "[program][edits]") {
  const std::string file = "stages/01_thread_per_cell.cu";
  // Threads with x >= nx have returned, so that compiled code has no second comparison.
  CHECK(shown("stencil", file, {{"x < nx - 1", "x < nx"}}) ==
        "With another limit than `nx` at line 31 of stencil.cu, all 12 visible cases are correct; "
        "now 3 are.");
  CHECK_FALSE(contains(shown("stencil", file, {{"x < nx - 1", "x < nx"}, {"y < ny - 1", "y < ny"}}),
                       "With "));
}

TEST_CASE("a slip in the structure of a kernel is found, and of two none", "[program][edits]") {
  const std::string file = "stages/05_rectangular_tiles.cu";
  const std::pair<std::string, std::string> limit = {"start < k; start",
                                                     "start < k / kDepth; start"};
  CHECK(shown("gemm", file, {limit}) ==
        "With another limit of the loop than `k / kDepth` at line 44 of gemm.cu, all 12 visible "
        "cases are correct; now 3 are.");
  CHECK_FALSE(contains(shown("gemm", file, {limit, {"= sum;", "= 2 * sum;"}}), "With "));
  CHECK(contains(shown("stencil", "stages/04_plane_in_shared.cu",
                       {{"    below = centre;\n    centre = above;\n",
                         "    centre = above;\n    below = centre;\n"}}),
                 "With two statements in the other order at lines 63 and 64 of stencil.cu, all 12 "
                 "visible cases are correct"));
}

}  // namespace
}  // namespace warpgrade
