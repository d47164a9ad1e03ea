// Submissions of grader/tests/attacks/work: work that reaches no output gets no points for
// concepts, and honest work that looks similar gets all of them.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "grader/core/text.h"
#include "grader/tests/program.h"
#include "grader/tests/sample.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::Sample;
namespace {

void check_sample(const std::string& name) {
  testing::need_sandbox();
  const std::vector<Sample> all = testing::samples_in("work");
  const auto sample =
      std::find_if(all.begin(), all.end(), [&](const Sample& each) { return each.name == name; });
  REQUIRE(sample != all.end());
  const std::string lab = sample->lab();
  const ScratchFolder folder;
  sample->hand_in(folder.path());
  const ProcessResult result =
      testing::warpgrade({"check", lab, (folder.path() / (lab + ".cu")).string(), "--device",
                          "emulator", "--json", (folder.path() / "grade.json").string()});
  INFO(result.out << result.err);
  REQUIRE(fs::exists(folder.path() / "grade.json"));
  const auto grade = nlohmann::json::parse(read_file(folder.path() / "grade.json"));
  std::vector<std::string> fails = sample->words("fails");
  const bool honest = fails.empty();
  std::erase(fails, "nothing");  // of a sample whose concepts are as they should be
  const bool has_speed = sample->head.contains("speed");  // otherwise any points will do
  for (const std::string& id : fails) {
    bool known = false;
    for (const auto& item : grade.at("items")) known = known || item.at("id") == "concept/" + id;
    CHECK(known);
  }
  for (const auto& item : grade.at("items")) {
    INFO(item.dump(1));
    const std::string id = item.at("id");
    if (id == "performance" && has_speed) {
      const bool is_fast = !sample->words("speed").empty();
      CHECK(item.at("points") == (is_fast ? item.at("max_points").get<double>() : 0));
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
  const std::set<std::string> flags = testing::flags_of(grade);
  INFO(grade.at("integrity").dump(1));
  for (const std::string& flag : sample->words("flags")) CHECK(flags.contains(flag));
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
