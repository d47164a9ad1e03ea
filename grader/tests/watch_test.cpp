// `warpgrade check --watch` and --format, as an editor's user meets them.

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::right_source;
using testing::shell;
using testing::warpgrade;
namespace {

std::string wrong_source() {
  return replace_all(right_source(), "+ b[rest]", "- b[rest]");
}

TEST_CASE("check runs again when an editor saves by renaming, and says what changed",
          "[program][watch][any_compiler]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "vecadd.cu", wrong_source());
  write_file_atomically(folder.path() / "right", right_source());
  REQUIRE(wrong_source() != right_source());
  const ProcessResult result = shell(
      "$W check vecadd vecadd.cu --watch >log 2>&1 & watch=$!\n"
      "for i in $(seq 600); do grep -q 'waiting for a change' log && break; sleep 0.2; done\n"
      "mv right vecadd.cu\n"
      "for i in $(seq 600); do grep -q 'since the last check' log && break; sleep 0.2; done\n"
      "kill -TERM $watch; wait $watch; echo \"exit code $?\" >>log; cat log",
      folder.path());
  INFO(result.out << result.err);
  CHECK(contains(result.out, "checking vecadd.cu"));
  CHECK(contains(result.out, "points; now right: "));
  CHECK(contains(result.out, "exit code 0"));
}

TEST_CASE("a check whose file is saved meanwhile starts again", "[program][watch][any_compiler]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "vecadd.cu", wrong_source());
  const ProcessResult result = shell(
      "$W check vecadd vecadd.cu --watch >log 2>&1 & watch=$!\n"
      "for i in $(seq 600); do grep -q 'checking' log && break; sleep 0.05; done\n"
      "sleep 0.2; touch vecadd.cu\n"
      "for i in $(seq 600); do grep -q 'waiting for a change' log && break; sleep 0.2; done\n"
      "kill -TERM $watch; wait $watch; cat log",
      folder.path());
  INFO(result.out << result.err);
  CHECK(contains(result.out, "the files changed: starting again"));
  CHECK(contains(result.out, "waiting for a change"));
}

TEST_CASE("check prints problems for editors and workflows",
          "[program][diagnostics][any_compiler]") {
  const ScratchFolder folder;
  fs::create_directory(folder.path() / "src");
  write_file_atomically(folder.path() / "src" / "vecadd.cu",
                        replace_all(right_source(), "rest < n; ++rest", "rest <= n; ++rest"));
  const auto printed = [&](const std::string& format) {
    return shell("$W check vecadd src/vecadd.cu --format " + format, folder.path()).out;
  };
  const std::string text = printed("text");
  INFO(text);
  CHECK(contains(text, "\nsrc/vecadd.cu:"));
  const auto problems = nlohmann::json::parse(printed("json"));
  CHECK(problems.at("diagnostics").at(0).at("file") == "src/vecadd.cu");
  CHECK(problems.at("diagnostics").at(0).at("line") > 0);
  CHECK(nlohmann::json::parse(printed("sarif")).at("version") == "2.1.0");
  CHECK(printed("github").starts_with("::error file=src/vecadd.cu,line="));
}

}  // namespace
}  // namespace warpgrade
