// Measured times, from the command line to grade.json.

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/core/text.h"
#include "grader/run/device/device.h"
#include "grader/tests/program.h"
#include "grader/tests/sample.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::Sample;
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

/// Grades all attacks that this device reveals, as a class; none may get points for speed.
void grade_timed_attacks(const std::string& device) {
  const ScratchFolder folder;
  std::vector<Sample> attacks = testing::samples_in("timed");
  if (device == "emulator") {
    std::erase_if(attacks, [](const Sample& each) { return each.says("shows") == "gpu"; });
  }
  for (const Sample& attack : attacks) {
    attack.hand_in(folder.path() / "in" / attack.name / attack.lab());
  }
  REQUIRE(attacks.size() >= 3);
  const ProcessResult result = warpgrade(
      {"grade", (folder.path() / "in").string(), "--out", (folder.path() / "out").string(),
       "--device", device, "--cache", "none", "--sandbox", "auto"},
      {{"WARPGRADE_MEASURE_ON_EMULATOR", "1"}});
  INFO(result.out << result.err);
  REQUIRE(result.ok());
  for (const Sample& attack : attacks) {
    const nlohmann::json grade = nlohmann::json::parse(
        read_file(folder.path() / "out" / attack.name / attack.lab() / "grade.json"));
    const nlohmann::json& item = grade.at("items").back();
    INFO(attack.name << ": " << item.dump() << grade.at("integrity").dump(1));
    CHECK(item.at("id") == "performance");
    CHECK(item.at("points") == 0);
    // Results kept from one call to the next are detected before anything is timed.
    CHECK((contains(item.at("message").get<std::string>(), attack.says("says")) ||
           contains(grade.at("summary").get<std::string>(), "not as the second call")));
    CHECK((attack.says("flag") == "none" ||
           contains(grade.at("summary").get<std::string>(), "not as the second call") ||
           testing::flags_of(grade).contains(attack.says("flag"))));
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
