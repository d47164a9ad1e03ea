#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using nlohmann::json;
using testing::contains;
using testing::warpgrade;
namespace {

std::string reference(const char* name) {
  return (testing::source_folder() / "reference/vecadd" / name).string();
}

TEST_CASE("lab run reports for each case whether it is right, and the emulator's findings",
          "[program][lab]") {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "run.json";
  const fs::path source = folder.path() / "never_frees.cu";
  write_file_atomically(source, testing::reference_program("vecadd", "wrong/never_frees"));
  const ProcessResult result =
      warpgrade({"lab", "run", "vecadd", source.string(), "--case", "performance", "--device",
                 "emulator", "--card", "h200", "--json", file.string()});
  CHECK(result.code == 1);  // right, except for the finding
  CHECK(contains(result.out, "passed"));
  const json report = json::parse(read_file(file));
  REQUIRE(report.at("cases").size() == 1);
  const json& row = report.at("cases").at(0);
  CHECK(row.at("status") == "passed");
  CHECK(row.at("wrong_elements") == 0);
  CHECK(row.at("card") == "NVIDIA H200");
  CHECK(row.at("findings").at(0).at("kind") == "leak");
  CHECK(row.at("kernels").at(0).at("launches") == 1);
}

TEST_CASE("lab run prepends a tool to the program, which it builds once", "[program][lab]") {
  const ScratchFolder folder;
  const std::string build = (folder.path() / "kept").string();
  const std::vector<std::string> words = {
      "lab",      "run",      "vecadd", reference("solution.cu"),
      "--device", "emulator", "--case", "performance",
      "--build",  build};
  CHECK(warpgrade(words).code == 0);
  const auto built = fs::last_write_time(fs::path(build) / "program");
  std::vector<std::string> more = words;
  more.insert(more.end(),
              {"--", "env", "TOLD=by the tool", "sh", "-c", "echo $TOLD; exec \"$@\"", "sh"});
  const ProcessResult result = warpgrade(more);
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out, "by the tool"));
  CHECK(fs::last_write_time(fs::path(build) / "program") == built);
}

TEST_CASE("lab run with an unknown case lists the lab's cases", "[program][lab]") {
  const ProcessResult result =
      warpgrade({"lab", "run", "vecadd", reference("solution.cu"), "--case", "nonsense"});
  CHECK(result.code == 2);
  CHECK(contains(result.err, "lab vecadd has no case 'nonsense'; its cases are \""));
}

}  // namespace
}  // namespace warpgrade
