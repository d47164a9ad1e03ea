// Submissions of grader/attacks/work: work that reaches no output gets no points for concepts, and
// honest work that looks similar gets all of them.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// The words of a line at the top of a sample: "fails", "flags".
std::vector<std::string> says(const std::string& source, const std::string& key) {
  for (const std::string_view line : split_lines(source)) {
    if (!line.starts_with("// " + key + ":")) continue;
    std::istringstream words{std::string(line.substr(12))};
    std::vector<std::string> all;
    for (std::string word; words >> word;) {
      if (word != "none") all.push_back(word);
    }
    return all;
  }
  FAIL("the sample does not say " << key);
  return {};
}

void check_sample(const std::string& name) {
  testing::need_sandbox();
  const fs::path from = testing::source_folder() / "grader" / "attacks" / "work";
  const std::string source = read_file(from / (name + ".cu"));
  const std::string lab = says(source, "lab").at(0);
  const ScratchFolder folder;
  write_file_atomically(folder.path() / (lab + ".cu"), source);
  write_file_atomically(folder.path() / "answer.cuh", read_file(from / "answer.cuh"));
  const ProcessResult result =
      testing::warpgrade({"check", lab, (folder.path() / (lab + ".cu")).string(), "--device",
                          "emulator", "--json", (folder.path() / "grade.json").string()});
  INFO(result.out << result.err);
  REQUIRE(fs::exists(folder.path() / "grade.json"));
  const auto grade = nlohmann::json::parse(read_file(folder.path() / "grade.json"));
  std::vector<std::string> fails = says(source, "fails");
  const bool honest = fails.empty();
  std::erase(fails, "nothing");  // of a sample whose concepts are as they should be
  const std::vector<std::string> speed =
      testing::contains(source, "// speed:") ? says(source, "speed") : std::vector<std::string>();
  for (const std::string& id : fails) {
    bool known = false;
    for (const auto& item : grade.at("items")) known = known || item.at("id") == "concept/" + id;
    CHECK(known);
  }
  for (const auto& item : grade.at("items")) {
    INFO(item.dump(1));
    const std::string id = item.at("id");
    if (id == "performance" && testing::contains(source, "// speed:")) {
      CHECK(item.at("points") == (speed.empty() ? 0 : item.at("max_points").get<double>()));
    }
    if (id.starts_with("correctness/") && honest) CHECK(item.at("status") == "passed");
    if (!id.starts_with("concept/")) continue;
    const bool expected = std::find(fails.begin(), fails.end(), id.substr(8)) != fails.end();
    if (expected) {
      CHECK(item.at("status") == "failed");
      CHECK(item.at("points") == 0);
    } else if (honest) {
      CHECK(item.at("status") == "passed");
    }
    const std::string message = item.at("message");
    if (honest) CHECK_FALSE(testing::contains(message, "contributes to an output"));
  }
  std::vector<std::string> flags;
  for (const auto& flag : grade.at("integrity")) flags.push_back(flag.at("kind"));
  INFO(grade.at("integrity").dump(1));
  for (const std::string& flag : says(source, "flags")) {
    CHECK(std::find(flags.begin(), flags.end(), flag) != flags.end());
  }
  if (honest) CHECK(flags.empty());
}

TEST_CASE("work that a kernel discards has no points for concepts", "[program][work]") {
  check_sample("thrown_away");
}

TEST_CASE("a kernel whose results are unused has no points for concepts", "[program][work]") {
  check_sample("busywork_kernel");
}

TEST_CASE("a warm-up kernel, a printf and a flags array cost nothing", "[program][work]") {
  check_sample("honest_extras");
}

TEST_CASE("partial results that the host combines cost nothing", "[program][work]") {
  check_sample("finished_on_host");
}

TEST_CASE("copies of narrow rows take their time on the device", "[program][work]") {
  check_sample("copied_columns");
}

TEST_CASE("so do boxes of such rows", "[program][work]") {
  check_sample("copied_boxes");
}

TEST_CASE("so do those of a graph", "[program][work]") {
  check_sample("copied_by_graph");
}

TEST_CASE("so do those whose other side is pinned memory", "[program][work]") {
  check_sample("copied_through_pinned");
}

TEST_CASE("clearing an output before it is written costs no points", "[program][work]") {
  check_sample("cleared_first");
}

}  // namespace
}  // namespace warpgrade
