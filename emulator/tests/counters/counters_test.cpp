#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/tests/counters/measured.h"

using measured::kernels_of;
using measured::report_of;
using measured::short_name;
using nlohmann::json;

namespace {

/// The counters of one program's kernels, run once for all tests of this process.
class Counters {
 public:
  explicit Counters(const std::string& program, const std::string& options = "--card h200")
      : kernels_(kernels_of(report_of(program, options))) {}
  [[nodiscard]] double operator()(const std::string& kernel, const std::string& metric) const {
    return kernels_.at(kernel).at("counters").at(metric).get<double>();
  }
  [[nodiscard]] bool has(const std::string& kernel, const std::string& metric) const {
    return kernels_.at(kernel).at("counters").contains(metric);
  }
  [[nodiscard]] const json& kernel(const std::string& name) const { return kernels_.at(name); }

 private:
  std::map<std::string, json> kernels_;
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

/// Where PTX, which the emulator counts, and the machine code that ptxas makes of it differ.
struct Difference {
  std::string metric;
  double emulator = 0;
};
const std::map<std::string, std::vector<Difference>> kDifferences = {
    // ptxas gives the two branches other instructions than PTX has: division is a sequence.
    {"d_even", {{"smsp__thread_inst_executed_per_inst_executed.ratio", 23.77}}},
    // 17576 warps and tiles, with 16 loads of a row of A and 16 of a column of B each. ptxas makes
    // four 16-byte loads of the former, whose two rows take two wavefronts: 24 instead of 32.
    {"mm_tiled",
     {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 17576 * 32},
      {"smsp__thread_inst_executed_per_inst_executed.ratio", 31.93}}},
    // The loop is unrolled and pipelined otherwise.
    {"mm_naive", {{"smsp__thread_inst_executed_per_inst_executed.ratio", 30.79}}},
};

const std::string kGlobalLoad = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld";

}  // namespace

TEST_CASE("kernels count on the emulator what ncu counted on an H200", "[counters]") {
  const Counters counters("ncu_kernels");
  std::ifstream table(std::string(WARPSIM_REPOSITORY) + "/emulator/tests/counters/h200.csv");
  std::string line;
  REQUIRE(std::getline(table, line));
  const std::vector<std::string> metrics = split(line);
  int rows = 0;
  while (std::getline(table, line)) {
    const std::vector<std::string> cells = split(line);
    REQUIRE(cells.size() == metrics.size());
    ++rows;
    for (std::size_t i = 1; i < cells.size(); ++i) {
      double want = std::stod(cells[i]);
      if (const auto it = kDifferences.find(cells[0]); it != kDifferences.end()) {
        for (const Difference& known : it->second) {
          if (known.metric != metrics[i]) continue;
          CHECK(std::abs(known.emulator - want) > 0.005);  // else it is not a difference
          want = known.emulator;
        }
      }
      INFO(cells[0] << ' ' << metrics[i]);
      CHECK(counters(cells[0], metrics[i]) == Catch::Approx(want).margin(0.006));
    }
  }
  CHECK(rows == 19);
}

TEST_CASE("the caches keep what a block and the grid read again", "[counters][cache]") {
  const Counters counters("cache_kernels", "--card t4");
  const auto loads = [&](const char* kernel, const char* suffix) {
    return counters(kernel, kGlobalLoad + suffix);
  };
  // 512 warps, three loads of four sectors: from memory, past the first level, and from it.
  CHECK(loads("read_twice", ".sum") == 512 * 12);
  CHECK(loads("read_twice", "_lookup_hit.sum") == 512 * 4);
  CHECK(counters("read_twice", "lts__t_sectors_op_read.sum") == 512 * 8);
  CHECK(counters("read_twice", "lts__t_sectors_op_read_lookup_hit.sum") == 512 * 4);
  CHECK(counters("read_twice", "dram__sectors_read.sum") == 512 * 4);
  // 64 blocks ask the second level for 128 sectors each, memory has to give them once.
  CHECK(loads("read_shared_table", "_lookup_hit.sum") == 0);
  CHECK(counters("read_shared_table", "lts__t_sectors_op_read.sum") == 64 * 128);
  CHECK(counters("read_shared_table", "dram__sectors_read.sum") == 128);
  // What is written stays in the second level until something needs its place.
  CHECK(counters("increment", "dram__sectors_read.sum") == 512 * 4);
  CHECK(counters("increment", "dram__sectors_write.sum") == 0);
  CHECK(counters("increment", "l2_dirty_sectors_at_end") == 512 * 4);
}

TEST_CASE("what the copy engine moves is asked of the second level and of memory",
          "[counters][cache]") {
  const Counters counters("bulk_kernels");
  constexpr double kSectors = 64 * 4096 / 32;
  CHECK(counters("fetch", "bulk_copy_bytes") == 64 * 4096);
  CHECK(counters("fetch", "lts__t_sectors_op_read.sum") == kSectors);
  CHECK(counters("fetch", "dram__sectors_read.sum") == kSectors);
  CHECK(counters("send", "lts__t_sectors_op_write.sum") == kSectors);
  CHECK(counters("send", "l2_dirty_sectors_at_end") == kSectors);
  CHECK(counters("send", "dram__sectors_read.sum") == 0);
}

TEST_CASE("a second pass over more than the second level holds goes to memory again",
          "[counters][cache]") {
  const double sectors = 512 * 1024 * 16 / 32;
  const Counters small("cache_kernels", "--card t4");  // 4 MiB
  CHECK(small("stream", "dram__sectors_read.sum") > 1.8 * sectors);  // first levels keep some
  const Counters large("cache_kernels", "--card a100");  // 40 MiB
  CHECK(large("stream", "dram__sectors_read.sum") == sectors);
}

TEST_CASE("counters do not depend on the number of host threads", "[counters][cache]") {
  const json one = report_of("cache_kernels", "--card t4 --threads 1").at("kernels");
  CHECK(report_of("cache_kernels", "--card t4 --threads 2").at("kernels") == one);
  CHECK(report_of("cache_kernels", "--card t4 --threads 5").at("kernels") == one);
}

TEST_CASE("without the cache model there are no cache counters, and the rest is the same",
          "[counters][cache]") {
  const Counters with("cache_kernels");
  const Counters without("cache_kernels", "--card h200 --check counters");
  CHECK_FALSE(without.has("increment", "lts__t_sectors_op_read.sum"));
  CHECK(without("increment", kGlobalLoad + ".sum") == with("increment", kGlobalLoad + ".sum"));
  CHECK(without("increment", "modelled_ms") > 0);
}

TEST_CASE("a counter is the same whatever else is on, or it is not in the report",
          "[counters][cache]") {
  const std::string program = "cache_kernels";
  const auto all = kernels_of(report_of(program, "--card h200 --check cache"));
  for (const char* check : {"none", "races", "counters"}) {
    const json report = report_of(program, std::string("--card h200 --check ") + check);
    CHECK(report["enabled"]["races"] == (check == std::string("races")));
    CHECK(report["enabled"]["counters"] == (check == std::string("counters")));
    for (const auto& [name, kernel] : kernels_of(report)) {
      CHECK(kernel["counters"].size() > 20);
      for (const auto& [metric, value] : kernel["counters"].items()) {
        if (metric == "modelled_ms") continue;  // knows what was counted
        INFO(program << " --check " << check << ": " << name << " " << metric);
        CHECK(value == all.at(name)["counters"][metric]);
      }
    }
  }
}

TEST_CASE("what a generic address reaches is counted where it is", "[counters]") {
  const Counters counters("cache_kernels");
  // Stride 2: two lanes in every second bank; eight sectors.
  CHECK(counters("generic", "smsp__inst_executed_op_shared_ld.sum") == 1);
  CHECK(counters("generic", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum") == 2);
  CHECK(counters("generic", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum") == 2);
  CHECK(counters("generic", kGlobalLoad + ".sum") == 4 + 8);
}

TEST_CASE("a loop that waits for a place loads it once", "[counters]") {
  const std::string loads = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
  for (const char* check : {"--check counters", "--check all"}) {
    const Counters counters("wait_kernels", check);
    CHECK(counters("wait_for_flag", "smsp__inst_executed.sum") > 20000);
    CHECK(counters("wait_for_flag", loads) == 1);
    CHECK(counters("wait_for_flag", kGlobalLoad + ".sum") == 1);
    // Two barriers of eight blocks.
    CHECK(counters("meet_twice", loads) <= 2 * 8);
    // No loop that waits: it would end whatever it read.
    CHECK(counters("sum_volatile", loads) == 100);
  }
}

TEST_CASE("a texture fetch is a request for the sectors of its texels", "[counters][cache]") {
  const Counters counters("texture_kernels", "--card t4");
  const std::string requests = "l1tex__t_requests_pipe_tex_mem_texture.sum";
  const std::string sectors = "l1tex__t_sectors_pipe_tex_mem_texture.sum";
  // Eight lanes each along one dimension, four of two.
  CHECK(counters("fetch_row", requests) == 32 * 4);
  CHECK(counters("fetch_row", sectors) == 32 * 4);
  CHECK(counters("fetch_row", "dram__sectors_read.sum") == 32 * 4);
  CHECK(counters("fetch_row", kGlobalLoad + ".sum") == 0);
  CHECK(counters("fetch_stride", requests) == 4 * 4);
  CHECK(counters("fetch_stride", sectors) == 4 * 32);
  // A warp reads 33 texels of each of two rows, from the first on: texel 32 is in a fifth sector.
  CHECK(counters("filter", requests) == 8);
  CHECK(counters("filter", sectors) == 2 * 5);
  CHECK(counters("filter", "lts__t_sectors_op_read.sum") == 2 * 5);
}

TEST_CASE("local memory is interleaved by words", "[counters]") {
  const Counters counters("cache_kernels");
  // The same element of all threads is one line of four sectors. Every load finds what was stored.
  CHECK(counters("local_array", "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum") == 2);
  CHECK(counters("local_array", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum") == 8);
  CHECK(counters("local_array", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum") == 8);
  // 32 elements, in whatever widths the compiler writes them, and one more.
  CHECK(counters("local_array", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum") == 33 * 4);
}

TEST_CASE("atomics count turns, addresses, threads and the place that is updated most",
          "[counters]") {
  const Counters counters("cache_kernels");
  CHECK(counters("contended", "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum") == 1);
  CHECK(counters("contended", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum") == 4);
  CHECK(counters("contended", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum") == 2);
  CHECK(counters("contended", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum") == 4 + 1);
  CHECK(counters("contended", "global_atomic_addresses") == 8 + 8 + 1);
  CHECK(counters("contended", "global_atomic_contention") == 4 + 4 + 32);
  CHECK(counters("contended", "hottest_atomics_cycles") == Catch::Approx(1.4 * (4 + 4 + 1)));
  CHECK(counters("contended", "global_atomic_threads") == 3 * 32);
  CHECK(counters("contended", "global_atomic_threads_of_one_array") == 3 * 32);
}

TEST_CASE("updates of one array are counted without those of another one and of grid.sync()",
          "[counters]") {
  const Counters counters("cache_kernels");
  CHECK(counters("sum_with_queue", "global_atomic_threads") == 3 + 32);
  CHECK(counters("sum_with_queue", "global_atomic_threads_of_one_array") == 32);
  CHECK(counters("sum_after_meeting", "global_atomic_threads") > 4);
  CHECK(counters("sum_after_meeting", "global_atomic_threads_of_one_array") == 4);
}

TEST_CASE("loads of constant memory are counted, and those of parameters and global memory are not",
          "[counters]") {
  const Counters counters("cache_kernels");
  CHECK(counters("read_constants", "constant_loads") == 2);
  CHECK(counters("read_constants", kGlobalLoad + ".sum") == 0);
  CHECK(counters("contended", "constant_loads") == 0);
}

TEST_CASE("a warp's atomics on one address are one update where ptxas combines them",
          "[counters]") {
  // Sectors as ncu 2025.3 counted them on an H200; cycles as measured there.
  const Counters counters("atomic_kernels");
  constexpr double kWarps = 1024 * 8;
  const auto check = [&](const std::string& kernel, double updates_a_warp, double cycles) {
    INFO(kernel);
    const std::string sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_";
    CHECK(counters(kernel, sectors + "red.sum") + counters(kernel, sectors + "atom.sum") ==
          updates_a_warp * kWarps);
    CHECK(counters(kernel, "hottest_atomics_cycles") ==
          Catch::Approx(cycles * updates_a_warp * kWarps));
  };
  for (const std::string name : {"add_u32", "and_u32", "or_u32", "xor_u32", "min_u32", "max_s32"}) {
    check(name + "_uniform", 1, 1.4);
    check(name + "_loaded", 32, 1.4);
    check(name + "_pairs", 16, 1.4);
    check(name + "_returns", name == "add_u32" ? 1 : 32, 1.4);
  }
  for (const std::string name : {"inc_u32", "exch_u32", "add_u64", "and_u64", "xor_u64", "max_u64",
                                 "min_s64", "add_f32", "add_f64", "add_f16x2"}) {
    const double cycles = name.starts_with("add_f") ? 3.5 : 1.4;
    for (const char* address : {"_uniform", "_loaded", "_returns"})
      check(name + address, 32, cycles);
    check(name + "_pairs", 16, cycles);
  }
}

TEST_CASE(
    "atomics wait for those of their slice of L2, floating-point ones for those of their sector",
    "[counters]") {
  const Counters counters("spread_kernels");
  constexpr double kUpdates = 1024 * 256;
  const auto cycles = [&](const std::string& kernel) {
    return counters(kernel, "hottest_atomics_cycles");
  };
  // Passes of the busiest slice per warp: four lanes per word of one sector; one slice; two; 16.
  for (const auto& [words, passes] :
       std::map<int, double>{{8, 4}, {64, 4}, {256, 2}, {2048, 0.25}}) {
    INFO(words);
    const std::string shape = ", " + std::to_string(words) + ">";
    CHECK(cycles("consecutive<unsigned int" + shape) ==
          Catch::Approx(1.4 * passes * kUpdates / 32));
    CHECK(cycles("consecutive<float" + shape) ==
          Catch::Approx((words == 8 ? 3.5 : 1.4) * passes * kUpdates / 32));
  }
  CHECK(cycles("one_per_warp<unsigned int, 8>") == Catch::Approx(1.4 * kUpdates));
  CHECK(cycles("one_per_warp<float, 8>") == Catch::Approx(3.5 * kUpdates));
}

TEST_CASE("a shared access without conflicts is one pass, however many warps there are",
          "[counters]") {
  const Counters counters("arbitration_kernels");
  for (const int warps : {1, 32}) {
    const std::string n = std::to_string(warps);
    const std::string passes = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_";
    CHECK(counters("atomics<" + n + ", 1>", passes + "atom.sum") == 256 * warps);
    CHECK(counters("one_lane<" + n + ">", passes + "atom.sum") == 256 * warps);
    CHECK(counters("loads<" + n + ", 1>", passes + "ld.sum") == 256 * warps);
  }
}

TEST_CASE("stores of a part of a sector each touch eight times the sectors that they need",
          "[counters]") {
  const Counters counters("spread_kernels");
  const std::string sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
  constexpr double kStores = 132 * 256 * 512;
  CHECK(counters("rows<132>", sectors) == kStores);
  CHECK(counters("whole<132>", sectors) == kStores / 8);
}

TEST_CASE("loads count the lines that a request touches, however little is read of each",
          "[counters]") {
  const Counters counters("line_kernels");
  const double requests =
      counters("lines<1, 1>", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
  CHECK(requests == 264 * 8 * 512);
  for (const int lines : {1, 2, 4, 8, 16, 32}) {
    CHECK(counters("lines<" + std::to_string(lines) + ", 1>", "global_load_lines") ==
          lines * requests);
  }
  CHECK(counters("lines<8, 8>", "global_load_lines") == 8 * requests);
  CHECK(counters("lines<16, 8>", "global_load_lines") == 16 * requests);
}

TEST_CASE("floating-point operations are counted by precision and kind", "[counters]") {
  const Counters counters("cache_kernels");
  for (const std::string kind : {"fadd", "fmul", "ffma", "dadd", "dmul", "dfma", "hfma"}) {
    INFO(kind);
    CHECK(counters("arithmetic", "smsp__sass_thread_inst_executed_op_" + kind + "_pred_on.sum") ==
          32);
  }
  CHECK(counters("arithmetic", "flops_f32") == 32 * 4);
  CHECK(counters("arithmetic", "flops_f64") == 32 * 4);
  CHECK(counters("arithmetic", "flops_f16") == 32 * 4);
  CHECK(counters("arithmetic", "flops_tensor") == 0);
}

TEST_CASE("threads whose predicate is false are active but not on", "[counters]") {
  const Counters counters("cache_kernels");
  const double threads = counters("half_of_the_lanes", "smsp__thread_inst_executed.sum");
  CHECK(threads == 32 * counters("half_of_the_lanes", "smsp__inst_executed.sum"));
  CHECK(counters("half_of_the_lanes", "smsp__thread_inst_executed_pred_on.sum") == threads - 16);
  CHECK(counters("half_of_the_lanes", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum") == 4);
  CHECK(counters("half_of_the_lanes",
                 "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio") == 16);
}

TEST_CASE("a branch that splits the warp is divergent, others are uniform", "[counters]") {
  const Counters counters("cache_kernels");
  CHECK(counters("divergent", "smsp__sass_branch_targets_threads_divergent.sum") == 1);
  CHECK(counters("increment", "smsp__sass_branch_targets_threads_divergent.sum") == 0);
  CHECK(counters("divergent", "smsp__thread_inst_executed_per_inst_executed.ratio") < 32);
}

TEST_CASE("lines and instructions add up to their kernel", "[counters]") {
  const Counters counters("cache_kernels", "--card h200 --instructions");
  for (const std::string kernel : {"generic", "contended", "arithmetic", "stream"}) {
    const json& report = counters.kernel(kernel);
    for (const char* part : {"lines", "instructions"}) {
      std::map<std::string, double> sums;
      for (const json& item : report.at(part)) {
        for (const auto& [name, value] : item.at("counters").items()) {
          sums[name] += value.get<double>();
        }
      }
      for (const auto& [name, value] : sums) {
        if (name.ends_with(".ratio") || name.ends_with(".pct")) continue;
        INFO(kernel << ' ' << part << ' ' << name);
        CHECK(value == counters(kernel, name));
      }
      CHECK(sums.at("smsp__inst_executed.sum") > 0);
    }
  }
}

TEST_CASE("an instruction has its text, its function and its line", "[counters]") {
  const Counters counters("cache_kernels", "--card h200 --instructions");
  const json& report = counters.kernel("generic");
  std::set<std::string> functions;
  bool found = false;
  for (const json& instruction : report.at("instructions")) {
    functions.insert(short_name(instruction.at("function")));
    const std::string text = instruction.at("text");
    if (!text.starts_with("ld.f32")) continue;
    found = true;
    CHECK(std::string(instruction.at("file")).ends_with("cache_kernels.cu"));
    CHECK(instruction.at("line").get<int>() > 0);
  }
  CHECK(found);
  CHECK(functions.size() == 2);
}

TEST_CASE("the faster of two kernels has the shorter modelled time, on small and large cards",
          "[counters][cost]") {
  const std::vector<std::pair<std::string, std::string>> orders = {
      {"gemm_tiled", "gemm_naive"},
      {"gemm_register_tiled", "gemm_tiled"},
      {"copy_coalesced", "copy_strided"},
      {"histogram_private", "histogram_global"},
      {"reduce_convergent", "reduce_interleaved"},
      {"reduce_shuffle", "reduce_convergent"},
      {"transpose_padded", "transpose_naive"},
      {"transpose_padded", "transpose_conflicted"},
  };
  for (const std::string card : {"t4", "h200"}) {
    const Counters counters("cost_kernels", "--card " + card);
    for (const auto& [faster, slower] : orders) {
      INFO(card << ": " << faster << " before " << slower);
      CHECK(counters(faster, "modelled_ms") < counters(slower, "modelled_ms"));
    }
  }
}
