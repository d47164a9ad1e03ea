#include "grader/judge/speed/roofline.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "grader/testing/evidence.h"

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
          "[speed][roofline]") {
  const auto roof = roofline_of(run_on(kCard, {{"flops_f32", 128}}), reference("flops_f32", 64));
  REQUIRE(roof);
  CHECK(roof->counts_flops());
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

TEST_CASE("each type of operation has the peak of its own pipe", "[speed][roofline]") {
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

TEST_CASE("rungs counted on the same card are points, others are not", "[speed][roofline]") {
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
          "[speed][roofline]") {
  const auto roof = roofline_of(run_on(kCard, {{"flops_f32", 3}}), reference("flops_f32", 0));
  REQUIRE(roof);
  CHECK_FALSE(roof->counts_flops());
  CHECK(roof->submission.operations == 100);
  CHECK(roof->reference.operations == 50);
  CHECK(roof->operations_per_second == 0);
}

/// A time measured on an H200, with measured peaks.
Timing measured_timing(const std::map<std::string, std::int64_t>& shape) {
  Timing timing{
      .name = "large", .source = "measured", .submission_ms = 2, .reference_ms = 1, .ratio = 2};
  timing.shape = shape;
  timing.card =
      CardRecord{.name = "NVIDIA H200",
                 .uuid = "GPU-1",
                 .driver = "580",
                 .before = std::nullopt,
                 .after = std::nullopt,
                 .peaks = CardPeaks{.copy_bytes_per_second = 4e12, .fma_per_second = 30e12}};
  return timing;
}

Lab lab_with_array() {
  Lab lab = testing::test_lab();
  Parameter parameter;
  parameter.name = "a";
  parameter.type = ElementType::f32;
  parameter.role = Role::input;
  parameter.shape = {Expression("n")};
  lab.parameters = {parameter};
  lab.flops = Expression("2 * n");
  return lab;
}

/// ncu's counts of a timed call of one kernel.
CardCounts counted(const std::string& program, double ffma, double sectors, double nanoseconds) {
  return {.program = program,
          .name = "large",
          .timed = true,
          .shape = {},
          .kernels = {{.name = "k",
                       .launches = 1,
                       .grid = {},
                       .block = {},
                       .counters = {{"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", ffma},
                                    {"dram__sectors_read.sum", sectors},
                                    {"gpu__time_duration.sum", nanoseconds}},
                       .lines = {}}}};
}

TEST_CASE("a measured time is a point under the measured roof", "[speed][roofline]") {
  const Lab lab = lab_with_array();
  const Evidence evidence = testing::right_evidence(lab);
  const auto roof = measured_roofline(measured_timing({{"n", 1 << 20}}), evidence, std::nullopt);
  REQUIRE(roof);
  CHECK(roof->counted_by == CountSource::task);  // there are no counts for a call of that size
  CHECK(roof->limits == LimitSource::measured);
  CHECK(roof->bytes_per_second == 4e12);
  CHECK(roof->operations_per_second == 60e12);
  CHECK(roof->submission.ms == 2);
  CHECK(roof->submission.operations == 2 << 20);
  CHECK(roof->submission.bytes == 4 << 20);
  CHECK(roof->submission.floor_ms == Approx(1e3 * (4 << 20) / 4e12));
  CHECK(roof->reference.ms == 1);
  CHECK(roof->rungs.empty());
}

TEST_CASE("ncu's counts of the timed call have priority, if it counted both programs",
          "[speed][roofline]") {
  const Lab lab = lab_with_array();
  const Evidence evidence = testing::right_evidence(lab);
  CardProfile profile{
      .runs = {}, .counts = {counted("submission", 5e6, 1000, 9e5)}, .findings = {}};
  const Timing timing = measured_timing({{"n", 1 << 20}});
  CHECK(measured_roofline(timing, evidence, profile)->counted_by == CountSource::task);
  profile.counts.push_back(counted("reference", 4e6, 500, 8e5));
  const auto roof = measured_roofline(timing, evidence, profile);
  REQUIRE(roof);
  CHECK(roof->counted_by == CountSource::ncu);
  CHECK(roof->submission.operations == 1e7);
  CHECK(roof->submission.bytes == 32000);
  CHECK(roof->reference.bytes == 16000);
  CHECK_FALSE(roof->kernels_only);
  CHECK(roof->submission.ms == 2);
}

TEST_CASE("a function on host pointers has the time of its kernels, if ncu measured it",
          "[speed][roofline]") {
  Lab lab = lab_with_array();
  lab.parameters[0].memory = Memory::host;
  const Evidence evidence = testing::right_evidence(lab);
  const CardProfile profile{
      .runs = {},
      .counts = {counted("submission", 5e6, 1000, 9e5), counted("reference", 4e6, 500, 8e5)},
      .findings = {}};
  const auto roof = measured_roofline(measured_timing({{"n", 1000}}), evidence, profile);
  REQUIRE(roof);
  CHECK(roof->kernels_only);
  CHECK(roof->submission.ms == Approx(0.9));
}

TEST_CASE("the emulator's counts are used if the timed size is the same", "[speed][roofline]") {
  const Lab lab = lab_with_array();
  Evidence evidence = testing::right_evidence(lab);
  evidence.cases[1].emulator = run_on(kCard, {{"flops_f32", 128}});
  evidence.references["large"] = reference("flops_f32", 64);
  Timing timing = measured_timing(lab.cases[1].data.dims);
  const auto roof = measured_roofline(timing, evidence, std::nullopt);
  REQUIRE(roof);
  CHECK(roof->counted_by == CountSource::emulator);
  CHECK(roof->submission.operations == 128);
  CHECK(roof->submission.ms == 2);
  // Without a GPU the roof is that of the emulated card.
  timing.card.reset();
  const auto emulated = measured_roofline(timing, evidence, std::nullopt);
  REQUIRE(emulated);
  CHECK(emulated->limits == LimitSource::data_sheet);
  CHECK(emulated->bytes_per_second == Approx(1555e9).epsilon(0.01));
}

TEST_CASE("a card that was not measured has its data sheet's roof, and an unknown one none",
          "[speed][roofline]") {
  const Lab lab = lab_with_array();
  const Evidence evidence = testing::right_evidence(lab);
  Timing timing = measured_timing({{"n", 1000}});
  timing.card->peaks.reset();
  timing.card->name = "NVIDIA A100-SXM4-80GB";
  REQUIRE(measured_roofline(timing, evidence, std::nullopt));
  CHECK(measured_roofline(timing, evidence, std::nullopt)->limits == LimitSource::data_sheet);
  timing.card->name = "Abacus";
  CHECK_FALSE(measured_roofline(timing, evidence, std::nullopt));
}

TEST_CASE("an unknown card or a reference without counters has no roofline", "[speed][roofline]") {
  CHECK_FALSE(roofline_of(run_on("Abacus", {}), reference("flops_f32", 32)));
  CHECK_FALSE(roofline_of(run_on(kCard, {}), {.modelled_ms = 1, .counters = {}}));
}

}  // namespace
}  // namespace warpgrade
