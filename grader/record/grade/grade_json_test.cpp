#include "grader/record/grade/grade_json.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "grader/core/error.h"
#include "grader/core/files.h"

namespace warpgrade {
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using Json = nlohmann::ordered_json;
namespace {

Grade sample_grade() {
  Grade grade;
  grade.lab = "vecadd";
  grade.lab_title = "Vector addition";
  grade.student = "s01";
  grade.started = "2026-11-21T09:30:00Z";
  grade.items = {{.id = "build",
                  .category = Category::build,
                  .title = "Builds",
                  .points = 5,
                  .max_points = 5,
                  .status = ItemStatus::passed,
                  .message = "It builds.",
                  .hint = "",
                  .pitfall = ""},
                 {.id = "correctness/tail",
                  .category = Category::correctness,
                  .title = "tail",
                  .points = 0,
                  .max_points = 10,
                  .status = ItemStatus::failed,
                  .message = "wrong",
                  .hint = "look",
                  .pitfall = "P2"},
                 {.id = "performance",
                  .category = Category::performance,
                  .title = "Cost",
                  .points = 0,
                  .max_points = 5,
                  .status = ItemStatus::not_assessed,
                  .message = "",
                  .hint = "",
                  .pitfall = ""}};
  CaseReport report;
  report.name = "tail";
  report.shape = {{"n", 1000}};
  report.verdict = CaseVerdict::wrong;
  report.elements = 1000;
  report.wrong_elements = 2;
  report.max_error = std::numeric_limits<double>::infinity();
  report.first_mismatches = {{.parameter = "c",
                              .index = 998,
                              .got = std::numeric_limits<double>::quiet_NaN(),
                              .want = -std::numeric_limits<double>::infinity(),
                              .bound = 0.5}};
  report.wrong_map = WrongMap{.parameter = "c",
                              .rows = 16,
                              .columns = 64,
                              .folded = true,
                              .cell_rows = 1,
                              .cell_columns = 1,
                              .cells = {"00.", "159"}};
  grade.cases = {report};
  ReportedFinding finding;
  finding.kind = "leak";
  finding.severity = "error";
  finding.pitfall = "P46";
  finding.cases = {"tail"};
  grade.findings = {finding};
  grade.kernels = {{.name = "add",
                    .launches = 2,
                    .grid = {4, 1, 1},
                    .block = {256, 1, 1},
                    .counters = {{"modelled_ms", 0.5}},
                    .lines = {{.file = "vecadd.cu", .line = 7, .counters = {{"x", 1}}}}}};
  grade.timing = Timing{
      .name = "tail", .source = "modelled", .submission_ms = 2, .reference_ms = 1, .ratio = 2};
  grade.timing->tiers = {{.ratio = 1.25, .points = 15}};
  grade.timing->roofline = Roofline{.operation = RoofOperation::instruction,
                                    .operations_per_second = 1e12,
                                    .bytes_per_second = 2e12,
                                    .submission = {1, 2, 3, 0.5},
                                    .reference = {4, 5, 6},
                                    .roofs = {{.type = "f32", .operations_per_second = 1e12}},
                                    .rungs = {{.rung = 3, .title = "Tiled", .point = {7, 8, 9}}}};
  grade.timing->runs = MeasuredRuns{
      .submission_ms = {2, 2.5}, .reference_ms = {1}, .ratio_low = 1.9, .ratio_high = 2.1};
  grade.items[2].numbers = ConceptNumbers{.check = {.measured = Expression("global_load_sectors"),
                                                    .expected = Expression("2 * n / 8"),
                                                    .at_least = 0.9,
                                                    .at_most = 1.1,
                                                    .unit = "sectors"},
                                          .measured = 500,
                                          .expected = 250,
                                          .reference = 250};
  grade.timing->roofline->counted_by = CountSource::ncu;
  grade.timing->roofline->limits = LimitSource::measured;
  grade.profile = CardProfile{
      .runs =
          {{.tool = "ncu", .name = "tail", .end = ToolEnd::done, .message = "One.", .seconds = 2},
           {.tool = "racecheck", .name = "", .end = ToolEnd::out_of_time, .message = "Late."}},
      .counts = {{.program = "submission",
                  .name = "tail",
                  .timed = true,
                  .shape = {{"n", 1000}},
                  .kernels = {{.name = "add(int)",
                               .launches = 1,
                               .grid = {4, 1, 1},
                               .block = {256, 1, 1},
                               .counters = {{"dram__sectors_read.sum", 7}},
                               .lines = {}}}}},
      .findings = {{.tool = "memcheck",
                    .kind = "access",
                    .message = "Invalid read",
                    .kernel = "add",
                    .file = "vecadd.cu",
                    .line = 7,
                    .who = "thread (1,0,0) in block (0,0,0)",
                    .count = 3}}};
  grade.rung = RungReport{.index = 2,
                          .count = 3,
                          .stage = "02_grid_stride",
                          .title = "Grid-stride loop",
                          .next_title = "Four at a time",
                          .next = "A quarter of the instructions.",
                          .next_times_faster = 1.5};
  grade.speed =
      SpeedReport{.name = "tail",
                  .ms = 2,
                  .parts = {{.cause = "launches", .ms = 0.5}, {.cause = "idle", .ms = 1.5}},
                  .accesses = {{.kernel = "add",
                                .file = "vecadd.cu",
                                .line = 7,
                                .ms = 1,
                                .sectors_asked = 32,
                                .sectors_needed = 4}},
                  .what_if = {{.change = "coalesced-loads",
                               .condition = "the loads of line 7 were coalesced",
                               .pitfall = "P62",
                               .kernel = "add",
                               .file = "vecadd.cu",
                               .line = 7,
                               .ms = 1,
                               .times_faster = 2}},
                  .occupancy = {{.kernel = "add",
                                 .percent = 50,
                                 .limiter = "registers",
                                 .times_faster = 1.2,
                                 .comment = "It matters."}}};
  grade.integrity = {{.kind = "ended-early", .message = "m", .evidence = "e"}};
  grade.sources = {{.name = "vecadd.cu", .text = "code\n"}};
  grade.environment = {{"nvcc", "13.0"}};
  return grade;
}

TEST_CASE("a grade survives a round trip through JSON", "[grade][json]") {
  const Grade grade = sample_grade();
  const Json document = to_json(grade);
  CHECK(schema_violation(document).empty());
  const Grade back = grade_from_json(Json::parse(document.dump()));
  CHECK(to_json(back) == document);
  REQUIRE(back.rung);
  CHECK(back.rung->index == 2);
  CHECK(back.rung->next_title == "Four at a time");
  REQUIRE(back.speed);
  CHECK(back.speed->what_if.at(0).condition == "the loads of line 7 were coalesced");
  REQUIRE(back.profile);
  CHECK(back.profile->runs.at(1).end == ToolEnd::out_of_time);
  CHECK(back.profile->find("submission", true)->kernels.at(0).counters.size() == 1);
  CHECK(back.profile->find("submission", false) == nullptr);
  CHECK(back.profile->findings.at(0).count == 3);
  CHECK(back.timing->roofline->counted_by == CountSource::ncu);
  CHECK(back.timing->roofline->limits == LimitSource::measured);
  CHECK(std::isnan(back.cases[0].first_mismatches[0].got));
  CHECK(std::isinf(back.cases[0].max_error));
}

TEST_CASE("a grade of an earlier version, without maps, numbers and rooflines, can be read",
          "[grade][json]") {
  Json document = to_json(sample_grade());
  document["cases"][0].erase("wrong_map");
  document["items"][2].erase("numbers");
  document["timing"].erase("tiers");
  document["timing"].erase("roofline");
  document["timing"].erase("runs");
  document.erase("failure");
  document.erase("profile");
  const Grade grade = grade_from_json(document);
  CHECK_FALSE(grade.profile);
  CHECK_FALSE(grade.cases[0].wrong_map);
  CHECK_FALSE(grade.items[2].numbers);
  REQUIRE(grade.timing);
  CHECK_FALSE(grade.timing->roofline);
}

TEST_CASE("scores are sums of the items' points, and what was not assessed is left out",
          "[grade]") {
  const Grade grade = sample_grade();
  CHECK(grade.score() == 5);
  CHECK(grade.max_score() == 20);
  CHECK(grade.assessed_points() == 15);
  CHECK(grade.points_in(Category::correctness) == 0);
  CHECK(grade.max_points_in(Category::correctness) == 10);
  CHECK_FALSE(grade.passed());
}

TEST_CASE("a grade passes if everything that was assessed has passed", "[grade]") {
  Grade grade = sample_grade();
  grade.items.erase(grade.items.begin() + 1);
  CHECK(grade.passed());
  grade.items[0].status = ItemStatus::partial;
  CHECK_FALSE(grade.passed());
  grade.items[0].status = ItemStatus::error;
  CHECK_FALSE(grade.passed());
}

TEST_CASE("hostile text in a grade stays valid JSON", "[grade][json]") {
  Grade grade = sample_grade();
  grade.output = "\xFF\xFE\x1b[2J</script>\xE2\x80\xAE";
  grade.student = "s\xC0";
  const Json back = Json::parse(to_json(grade).dump());
  CHECK(back.at("output").get<std::string>().find('\x1b') == std::string::npos);
  CHECK(schema_violation(back).empty());
}

TEST_CASE("the schema rejects what is not a grade and says where", "[grade][schema]") {
  Json document = to_json(sample_grade());
  SECTION("a missing key") {
    document.erase("score");
    CHECK(schema_violation(document).find("score") != std::string::npos);
  }
  SECTION("a key of a later version") {
    document["points"] = 3;
    CHECK(schema_violation(document).empty());
  }
  SECTION("a status that does not exist") {
    document["items"][1]["status"] = "almost";
    CHECK(schema_violation(document).find("[items]") == 0);
  }
  SECTION("negative points") {
    document["items"][0]["points"] = -1;
    CHECK_FALSE(schema_violation(document).empty());
  }
  SECTION("a rung below the first") {
    document["rung"]["index"] = 0;
    CHECK_FALSE(schema_violation(document).empty());
  }
  SECTION("a map with a cell that is none") {
    document["cases"][0]["wrong_map"]["cells"][0] = "0x";
    CHECK(schema_violation(document).find("[cases]") == 0);
  }
  SECTION("a map of more rows than a picture has") {
    document["cases"][0]["wrong_map"]["cells"] = std::vector<std::string>(65, "0");
    CHECK_FALSE(schema_violation(document).empty());
  }
  SECTION("a roofline that counts something else") {
    document["timing"]["roofline"]["operation"] = "wish";
    CHECK_FALSE(schema_violation(document).empty());
  }
  SECTION("no rung at all") {
    document["rung"] = nullptr;
    CHECK(schema_violation(document).empty());
  }
  SECTION("a pitfall that is not a page") {
    document["pitfall"] = "../../x";
    CHECK_FALSE(schema_violation(document).empty());
  }
}

TEST_CASE("a grade is written and read back", "[grade][json]") {
  const ScratchFolder scratch;
  const auto file = scratch.path() / "s01" / "vecadd" / "grade.json";
  write_grade(sample_grade(), file);
  CHECK(to_json(read_grade(file)) == to_json(sample_grade()));
}

TEST_CASE("an error about a damaged grade names its file", "[grade][json]") {
  const ScratchFolder scratch;
  const auto file = scratch.path() / "grade.json";
  write_file_atomically(file, "{\"schema\": 1");
  CHECK_THROWS_MATCHES(read_grade(file), UsageError,
                       MessageMatches(ContainsSubstring("grade.json is not a grade: ")));
  write_file_atomically(file, "{\"schema\": 2}");
  CHECK_THROWS_MATCHES(read_grade(file), UsageError,
                       MessageMatches(ContainsSubstring("grade.json is not a grade: ")));
}

TEST_CASE("a grade that violates our own schema is an internal error and is not written",
          "[grade][json]") {
  const ScratchFolder scratch;
  Grade grade = sample_grade();
  grade.pitfall = "nonsense";
  CHECK_THROWS_MATCHES(write_grade(grade, scratch.path() / "grade.json"), std::logic_error,
                       MessageMatches(ContainsSubstring("violates docs/grade.schema.json: ")));
  CHECK_FALSE(std::filesystem::exists(scratch.path() / "grade.json"));
}

}  // namespace
}  // namespace warpgrade
