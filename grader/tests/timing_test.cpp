// Measured times, from the command line to grade.json.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/core/text.h"
#include "grader/device/device.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::warpgrade;
namespace {

/// The grade of a source with measured time, on the GPU or (for tests) on the emulator.
nlohmann::json measured_grade(const std::string& source, const std::string& device) {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "vecadd.cu", source);
  const ProcessResult result =
      warpgrade({"check", "vecadd", (folder.path() / "vecadd.cu").string(), "--device", device,
                 "--json", (folder.path() / "grade.json").string()},
                {{"WARPGRADE_MEASURE_ON_EMULATOR", "1"}});
  INFO(result.out << result.err);
  REQUIRE(fs::exists(folder.path() / "grade.json"));
  return nlohmann::json::parse(read_file(folder.path() / "grade.json"));
}

TEST_CASE("the whole measurement of time also runs without a GPU", "[program][timing]") {
  const nlohmann::json grade = measured_grade(testing::right_source(), "emulator");
  const nlohmann::json& timing = grade.at("timing");
  INFO(grade.at("items").back().dump());
  REQUIRE(timing.at("source") == "measured");
  CHECK(timing.at("runs").at("submission_ms").size() == 3);
  CHECK(timing.at("runs").at("reference_ms").size() == 3);
  CHECK(timing.at("ratio") > 0.99);
  CHECK(timing.at("ratio") < 1.01);
  CHECK(timing.at("runs").at("ratio_low") <= timing.at("ratio"));
  CHECK(timing.at("card").is_null());
  CHECK(grade.at("integrity").empty());
  CHECK(grade.at("score") == 100);
}

/// An attack on the clocks: a submission of grader/attacks/timed, with the claims in its first
/// lines.
struct TimedAttack {
  std::string name;
  std::string source;

  [[nodiscard]] std::string says(const std::string& key) const {
    for (const std::string_view line : split_lines(source)) {
      if (line.starts_with("// " + key + ":")) return std::string(line.substr(12));
    }
    FAIL(name << " does not say " << key);
    return {};
  }
};

/// Grades all attacks that this device reveals, as a class; none may get points for speed.
void grade_timed_attacks(const std::string& device) {
  const fs::path from = testing::source_folder() / "grader" / "attacks";
  const ScratchFolder folder;
  std::vector<TimedAttack> attacks;
  for (const auto& entry : fs::directory_iterator(from / "timed")) {
    if (entry.path().extension() != ".cu") continue;
    const TimedAttack attack{.name = entry.path().stem().string(),
                             .source = read_file(entry.path())};
    if (attack.says("shows") == "gpu" && device == "emulator") continue;
    const fs::path to = folder.path() / "in" / attack.name / attack.says("lab");
    write_file_atomically(to / (attack.says("lab") + ".cu"), attack.source);
    for (const fs::path honest : {"right.cuh", "timed/slow_reduction.cuh"}) {
      write_file_atomically(to / honest.filename(), read_file(from / honest));
    }
    attacks.push_back(attack);
  }
  REQUIRE(attacks.size() >= 3);
  const ProcessResult result = warpgrade(
      {"grade", (folder.path() / "in").string(), "--out", (folder.path() / "out").string(),
       "--device", device, "--cache", "none", "--sandbox", "auto"},
      {{"WARPGRADE_MEASURE_ON_EMULATOR", "1"}});
  INFO(result.out << result.err);
  REQUIRE(result.ok());
  for (const TimedAttack& attack : attacks) {
    const nlohmann::json grade = nlohmann::json::parse(
        read_file(folder.path() / "out" / attack.name / attack.says("lab") / "grade.json"));
    const nlohmann::json& item = grade.at("items").back();
    INFO(attack.name << ": " << item.dump() << grade.at("integrity").dump(1));
    CHECK(item.at("id") == "performance");
    CHECK(item.at("points") == 0);
    // Results kept from one call to the next are detected before anything is timed.
    CHECK((contains(item.at("message").get<std::string>(), attack.says("says")) ||
           contains(grade.at("summary").get<std::string>(), "not as the second call")));
    const auto is_told = [&](const nlohmann::json& flag) {
      return flag.at("kind") == attack.says("flag");
    };
    CHECK((attack.says("flag") == "none" ||
           contains(grade.at("summary").get<std::string>(), "not as the second call") ||
           std::any_of(grade.at("integrity").begin(), grade.at("integrity").end(), is_told)));
  }
}

TEST_CASE("no attack on the clocks gains a point if the emulator reveals it",
          "[program][timing][attacks]") {
  grade_timed_attacks("emulator");
}

TEST_CASE("no attack on the clocks gains a point on a GPU", "[timing][attacks][.gpu]") {
  if (!find_gpu()) SKIP("no GPU here");
  grade_timed_attacks("cuda");
}

TEST_CASE("a GPU's time is measured, with the card's record", "[timing][.gpu]") {
  if (!find_gpu()) SKIP("no GPU here");
  const nlohmann::json grade = measured_grade(testing::right_source(), "cuda");
  const nlohmann::json& timing = grade.at("timing");
  REQUIRE(timing.at("source") == "measured");
  CHECK(timing.at("runs").at("submission_ms").size() >= 27);
  CHECK_FALSE(timing.at("card").is_null());
  CHECK(timing.at("ratio") > 0.9);
  CHECK(timing.at("ratio") < 1.1);
}

}  // namespace
}  // namespace warpgrade
