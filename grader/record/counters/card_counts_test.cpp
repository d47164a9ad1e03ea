#include "grader/record/counters/card_counts.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "grader/record/counters/kernel_name.h"
#include "grader/record/counters/ncu_table.h"

namespace warpgrade {
namespace {

constexpr const char* kLoads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* kStores = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr const char* kRegisters = "launch__registers_per_thread";

KernelReport kernel(const std::string& name, std::map<std::string, double> counters) {
  return {.name = name,
          .launches = 1,
          .grid = {1, 1, 1},
          .block = {32, 1, 1},
          .counters = std::move(counters),
          .lines = {}};
}

TEST_CASE("a kernel has one short name, whichever tool reports it", "[profile][kernel_name]") {
  CHECK(short_kernel_name("add(const float *, int)") == "add");
  CHECK(short_kernel_name("void <unnamed>::g_stride<(int)2>(const float *)") == "g_stride<2>");
  CHECK(short_kernel_name("void (anonymous namespace)::g_stride<2>(float const*)") ==
        "g_stride<2>");
  CHECK(short_kernel_name("void <unnamed>::multiply<<unnamed>::Shape<(int)64, (int)4>, (bool)1>("
                          "const float *)") ==
        short_kernel_name("void (anonymous namespace)::multiply<(anonymous namespace)::Shape<64, "
                          "4>, 1>(float const*)"));
  CHECK(short_kernel_name("").empty());
  CHECK(short_kernel_name("f<(").starts_with("f<"));
}

TEST_CASE("launches of a kernel are summed, except for metrics that are not sums",
          "[profile][card_counts]") {
  const auto kernels =
      kernels_of({{.kernel = "f(int)",
                   .metrics = {{kLoads, 10}, {kRegisters, 16}},
                   .grid = {4},
                   .block = {32}},
                  {.kernel = "g(int)", .metrics = {{kLoads, 1}}},
                  {.kernel = "f(int)",
                   .metrics = {{kLoads, 5}, {kRegisters, 16}, {"device__attribute_chip", 384}},
                   .grid = {2},
                   .block = {64}}});
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].launches == 2);
  CHECK(kernels[0].grid == std::vector<std::uint64_t>{2});
  CHECK(kernels[0].counters == std::map<std::string, double>{{kLoads, 15}, {kRegisters, 16}});
}

TEST_CASE("ncu is asked once for each metric, and for sums of formulas' counters",
          "[profile][card_counts]") {
  std::vector<std::string> metrics = card_metrics();
  CHECK(std::count(metrics.begin(), metrics.end(), kLoads) == 1);
  CHECK(std::count(metrics.begin(), metrics.end(), kDurationMetric) == 1);
  CHECK(std::count(metrics.begin(), metrics.end(), "barriers") == 0);
  std::sort(metrics.begin(), metrics.end());
  CHECK(std::adjacent_find(metrics.begin(), metrics.end()) == metrics.end());
}

TEST_CASE("a roofline's operations count a fused multiply-add twice", "[profile][card_counts]") {
  const auto work =
      work_of({kernel("f", {{"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 10},
                            {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1},
                            {"dram__sectors_read.sum", 7}})});
  CHECK(work.at("flops_f32") == 21);
  CHECK(work.at("flops_tensor") == 0);
  CHECK(work.at("dram_read_sectors") == 7);
}

TEST_CASE("a counter is compared if both have it, kernel by kernel", "[profile][card_counts]") {
  const auto rows = compare_counts(
      {kernel("void (anonymous namespace)::add<4>(float*)", {{kLoads, 100},
                                                             {kStores, 0},
                                                             {"barriers", 3},
                                                             {"modelled_ms", 0.5},
                                                             {"dram__sectors_read.sum", 5}}),
       kernel("ours()", {{kLoads, 1}})},
      {kernel("void <unnamed>::add<(int)4>(float *)",
              {{kLoads, 101}, {kStores, 0}, {kDurationMetric, 2e6}}),
       kernel("theirs()", {{kLoads, 2}})});
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].name == "add<4>");
  CHECK(rows[0].card_ms == 2);
  CHECK(rows[0].modelled_ms == 0.5);
  REQUIRE(rows[0].counters.size() == 1);  // not if it is 0 on both, or only one has it
  CHECK(rows[0].counters[0].name == "global_load_sectors");
  CHECK(rows[0].counters[0].emulator == 100);
  CHECK(rows[0].counters[0].card == 101);
  CHECK(rows[1].card_launches == 0);
  CHECK(rows[2].name == "theirs");
  CHECK(rows[2].emulator_launches == 0);
  CHECK(compare_counts({}, {}).empty());
}

}  // namespace
}  // namespace warpgrade
