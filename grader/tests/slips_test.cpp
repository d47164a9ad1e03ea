#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "grader/core/text.h"
#include "grader/tests/program.h"

// Wrong programs of which no formula and no experiment knows the cause: `check` names the line of
// the slip.

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::warpgrade;
namespace {

/// What a student reads first about a program of reference/<lab> in which a text is replaced.
std::string shown(const std::string& lab, const std::string& file, const std::string& from,
                  const std::string& to) {
  std::string source = testing::reference_program(lab, file);
  REQUIRE(contains(source, from));
  source = replace_all(source, from, to);
  const ScratchFolder folder;
  const fs::path submission = folder.path() / (lab + ".cu");
  write_file_atomically(submission, source);
  const ProcessResult result = warpgrade({"check", lab, submission.string(), "--device", "emulator",
                                          "--json", (folder.path() / "grade.json").string()});
  INFO(result.out << result.err);
  REQUIRE(fs::exists(folder.path() / "grade.json"));
  return nlohmann::json::parse(read_file(folder.path() / "grade.json")).at("summary");
}

TEST_CASE("a slip that nothing else explains is named by its line", "[program][edits]") {
  CHECK(shown("differences", "stages/01_two_loads.cu", "i == 0 ?", "i <= 1 ?") ==
        "With another number at line 27 of differences.cu, all 9 visible cases are correct; now 2 "
        "are.");
  CHECK(shown("stencil", "stages/01_thread_per_cell.cu", "x > 0 && x", "x >= 0 && x") ==
        "With another number at line 31 of stencil.cu, all 12 visible cases are correct; now 3 "
        "are.");
}

TEST_CASE("of two slips none is named, since no one edit repairs both", "[program][edits]") {
  CHECK_FALSE(contains(shown("differences", "stages/01_two_loads.cu",
                             "i == 0 ? values[i] : values[i] - values[i - 1]",
                             "i <= 1 ? values[i] : values[i] - 2 * values[i - 1]"),
                       "With another"));
}

}  // namespace
}  // namespace warpgrade
