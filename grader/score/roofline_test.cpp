#include "grader/score/roofline.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

using Catch::Approx;

EmulatorReport run_on(const std::string& card, std::map<std::string, double> flops) {
  EmulatorReport report;
  report.device = card;
  report.kernels = {{.name = "k",
                     .launches = 1,
                     .grid = {1, 1, 1},
                     .block = {32, 1, 1},
                     .counters = {{"modelled_ms", 2},
                                  {"smsp__inst_executed.sum", 100},
                                  {"dram__sectors_read.sum", 10},
                                  {"dram__sectors_write.sum", 1},
                                  {"l2_dirty_sectors_at_end", 1}},
                     .lines = {}}};
  report.kernels[0].counters.merge(flops);
  return report;
}

ReferenceCost reference(const std::string& type, double flops) {
  return {.modelled_ms = 1,
          .counters = {{"warp_instructions", 50}, {type, flops}, {"dram_read_sectors", 5}}};
}

constexpr const char* kCard = "NVIDIA A100-SXM4-40GB";

TEST_CASE("a roofline has the card's peaks and both runs' operations and bytes",
          "[score][roofline]") {
  const auto roof = roofline_of(run_on(kCard, {{"flops_f32", 128}}), reference("flops_f32", 64));
  REQUIRE(roof);
  CHECK(roof->counts_flops);
  CHECK(roof->operations_per_second == Approx(19.5e12).epsilon(0.01));  // the data sheet's
  CHECK(roof->bytes_per_second == Approx(1555e9).epsilon(0.01));
  CHECK(roof->submission.operations == 128);
  CHECK(roof->submission.bytes == 12 * 32);
  CHECK(roof->submission.ms == 2);
  CHECK(roof->submission.floor_ms == Approx(1000 * 12 * 32 / 1555e9).epsilon(0.01));
  CHECK(roof->reference.operations == 64);
  CHECK(roof->reference.bytes == 5 * 32);
  REQUIRE(roof->roofs.size() == 1);
  CHECK(roof->roofs[0].type == "f32");
}

TEST_CASE("each type of operation has the roof of its own pipe", "[score][roofline]") {
  // Peaks of the A100's data sheet.
  const auto roof =
      roofline_of(run_on(kCard, {{"flops_f64", 1e9}, {"flops_f16", 10}, {"flops_tensor", 2e9}}),
                  reference("flops_f32", 64));
  REQUIRE(roof);
  CHECK(roof->submission.operations == 3e9 + 10);
  CHECK(roof->submission.floor_ms == Approx(1e3 * 1e9 / 9.7e12).epsilon(0.01));  // the f64 pipe's
  REQUIRE(roof->roofs.size() == 4);
  CHECK(roof->roofs[0].operations_per_second == Approx(9.7e12).epsilon(0.01));
  CHECK(roof->roofs[2].type == "f16");
  CHECK(roof->roofs[2].operations_per_second == Approx(78e12).epsilon(0.01));
  CHECK(roof->roofs[3].type == "tensor");
  CHECK(roof->roofs[3].operations_per_second == Approx(312e12).epsilon(0.01));
  CHECK(roof->operations_per_second == roof->roofs[3].operations_per_second);
}

TEST_CASE("rungs counted on the same card are points, others are not", "[score][roofline]") {
  const std::vector<RungCost> ladder = {
      {.rung = 1, .stage = "01_a", .title = "A", .card = kCard, .cost = reference("flops_f32", 7)},
      {.rung = 2, .stage = "02_b", .title = "B", .card = "Abacus", .cost = reference("x", 7)}};
  const auto roof =
      roofline_of(run_on(kCard, {{"flops_f32", 128}}), reference("flops_f32", 64), ladder);
  REQUIRE(roof);
  REQUIRE(roof->rungs.size() == 1);
  CHECK(roof->rungs[0].title == "A");
  CHECK(roof->rungs[0].point.operations == 7);
}

TEST_CASE("work without floats is counted in warp instructions and has no roof",
          "[score][roofline]") {
  const auto roof = roofline_of(run_on(kCard, {{"flops_f32", 3}}), reference("flops_f32", 0));
  REQUIRE(roof);
  CHECK_FALSE(roof->counts_flops);
  CHECK(roof->submission.operations == 100);
  CHECK(roof->reference.operations == 50);
  CHECK(roof->operations_per_second == 0);
}

TEST_CASE("an unknown card or a reference without counters has no roofline", "[score][roofline]") {
  CHECK_FALSE(roofline_of(run_on("Abacus", {}), reference("flops_f32", 32)));
  CHECK_FALSE(roofline_of(run_on(kCard, {}), {.modelled_ms = 1, .counters = {}}));
}

}  // namespace
}  // namespace warpgrade
