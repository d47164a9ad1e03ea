#include "grader/score/roofline.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

using Catch::Approx;

EmulatorReport run_on(const std::string& card, double fused_multiply_adds) {
  EmulatorReport report;
  report.device = card;
  report.kernels = {
      {.name = "k",
       .launches = 1,
       .grid = {1, 1, 1},
       .block = {32, 1, 1},
       .counters = {{"modelled_ms", 2},
                    {"smsp__inst_executed.sum", 100},
                    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", fused_multiply_adds},
                    {"dram__sectors_read.sum", 10},
                    {"dram__sectors_write.sum", 1},
                    {"l2_dirty_sectors_at_end", 1}},
       .lines = {}}};
  return report;
}

ReferenceCost reference(double fused_multiply_adds) {
  return {.modelled_ms = 1,
          .counters = {{"warp_instructions", 50},
                       {"flops_ffma", fused_multiply_adds},
                       {"dram_read_sectors", 5}}};
}

TEST_CASE("a roofline has the card's peaks and both runs' operations and bytes",
          "[score][roofline]") {
  const auto roof = roofline_of(run_on("NVIDIA A100-SXM4-40GB", 64), reference(32));
  REQUIRE(roof);
  CHECK(roof->counts_flops);
  CHECK(roof->operations_per_second == Approx(19.5e12).epsilon(0.01));  // the data sheet's
  CHECK(roof->bytes_per_second == Approx(1555e9).epsilon(0.01));
  CHECK(roof->submission.operations == 128);
  CHECK(roof->submission.bytes == 12 * 32);
  CHECK(roof->submission.ms == 2);
  CHECK(roof->reference.operations == 64);
  CHECK(roof->reference.bytes == 5 * 32);
}

TEST_CASE("work without floats is counted in warp instructions", "[score][roofline]") {
  const auto roof = roofline_of(run_on("NVIDIA A100-SXM4-40GB", 0), reference(0));
  REQUIRE(roof);
  CHECK_FALSE(roof->counts_flops);
  CHECK(roof->submission.operations == 100);
  CHECK(roof->reference.operations == 50);
}

TEST_CASE("an unknown card or a reference without counters has no roofline", "[score][roofline]") {
  CHECK_FALSE(roofline_of(run_on("Abacus", 64), reference(32)));
  CHECK_FALSE(roofline_of(run_on("NVIDIA A100-SXM4-40GB", 64), {.modelled_ms = 1, .counters = {}}));
}

}  // namespace
}  // namespace warpgrade
