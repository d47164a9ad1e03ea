#include "grader/run/session/ladder_file.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/files.h"
#include "grader/core/source_root.h"
#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

RungCost cost(std::size_t rung, const std::string& stage, double ms) {
  return {.rung = rung,
          .stage = stage,
          .title = "",
          .card = "NVIDIA A100-SXM4-40GB",
          .cost = {.modelled_ms = ms, .counters = {{"flops_f32", 7}, {"blocks", 3}}}};
}

TEST_CASE("a ladder's costs are read back for unchanged stages", "[session][ladder]") {
  const ScratchFolder scratch;
  Lab lab = testing::test_lab();
  lab.reference = scratch.path();
  for (const char* stage : {"01_a", "02_b"}) {
    lab.rungs.push_back({.stage = stage, .title = stage, .when = Expression("1"), .next = ""});
    write_file_atomically(scratch.path() / "stages" / (std::string(stage) + ".cu"), stage);
  }
  CHECK(read_ladder(lab).empty());
  write_ladder(lab, {cost(1, "01_a", 2), cost(2, "02_b", 1)});
  const std::vector<RungCost> rungs = read_ladder(lab);
  REQUIRE(rungs.size() == 2);
  CHECK(rungs[1].rung == 2);
  CHECK(rungs[1].title == "02_b");
  CHECK(rungs[1].card == "NVIDIA A100-SXM4-40GB");
  CHECK(rungs[1].cost.modelled_ms == 1);
  CHECK(rungs[1].cost.counters.at("flops_f32") == 7);

  SECTION("without one whose source has changed") {
    write_file_atomically(scratch.path() / "stages" / "01_a.cu", "other");
    REQUIRE(read_ladder(lab).size() == 1);
    CHECK(read_ladder(lab)[0].stage == "02_b");
  }
  SECTION("none for a performance case of another size") {
    lab.cases[1].data.dims["n"] = 2000;
    CHECK(read_ladder(lab).empty());
  }
  SECTION("none of a damaged file") {
    write_file_atomically(ladder_file(lab), "{\"schema\": 1}");
    CHECK(read_ladder(lab).empty());
  }
}

// A rung that is missing there is missing in every student's plot, without a message.
TEST_CASE("every lab's ladder is recorded for its stages as they are", "[session][ladder]") {
  for (const std::string& id : find_labs(kSourceRoot)) {
    const Lab lab = load_lab(std::filesystem::path(kSourceRoot) / "labs" / id);
    std::vector<std::string> stages;
    for (const Rung& rung : lab.rungs) stages.push_back(rung.stage);
    std::vector<std::string> recorded;
    for (const RungCost& rung : read_ladder(lab)) recorded.push_back(rung.stage);
    INFO("for " << id << " run `warpgrade lab ladder " << id << "`");
    CHECK(recorded == stages);
  }
}

}  // namespace
}  // namespace warpgrade
