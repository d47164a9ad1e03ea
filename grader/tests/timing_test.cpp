// Times that are measured, from the command line to grade.json.

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/run/device.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::warpgrade;
namespace {

/// The grade of a source, its time measured: on the GPU, or on the emulator all the same.
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

/// The solution, with something before the first line of its function.
std::string changed_solution(const std::string& statement) {
  std::string source = testing::right_source();
  const std::size_t body = source.rfind("int n) {");
  REQUIRE(body != std::string::npos);
  source.insert(body + 8, statement);
  return source;
}

TEST_CASE("the whole way of a measured time runs without a GPU", "[program][timing]") {
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

TEST_CASE("a result kept from an earlier call is wrong for the next, and is flagged",
          "[program][timing]") {
  const nlohmann::json grade =
      measured_grade(changed_solution(" static float* kept = nullptr;"
                                      " if (kept != nullptr) {"
                                      "   for (int i = 0; i < n; ++i) c[i] = kept[i];"
                                      "   return;"
                                      " }"
                                      " if (n > 1000000) {"
                                      "   kept = static_cast<float*>(malloc(n * sizeof(float)));"
                                      "   for (int i = 0; i < n; ++i) kept[i] = a[i] + b[i];"
                                      " }"),
                     "emulator");
  const nlohmann::json& item = grade.at("items").back();
  CHECK(item.at("points") == 0);
  CHECK(contains(item.at("message").get<std::string>(), "Wrong when it is timed"));
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
