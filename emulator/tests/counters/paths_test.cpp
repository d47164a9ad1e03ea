// Counters by kind of instruction, against what ncu counted on an H200 (path_*.cu, h200_paths.csv).

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "emulator/tests/counters/measured.h"

namespace {

/// Counters that are not the card's, and what the emulator has instead.
struct Difference {
  std::string kernel;
  std::string metric;  // the end of its name
  double emulator = 0;
};
const std::vector<Difference> kDifferences = {
    // The card's number varies from run to run: it is that of stores of less than a word.
    {"load_halves", "sectors_pipe_lsu_mem_global_op_st", 1024},
    {"store_bytes", "sectors_pipe_lsu_mem_global_op_st", 2560},
    {"shared_words<unsigned char, 1>", "sectors_pipe_lsu_mem_global_op_st", 512},
    {"shared_words<unsigned short, 3>", "sectors_pipe_lsu_mem_global_op_st", 1024},
    // Cards keep arrays in tiles, the emulator row by row.
    {"texture_2d", "sectors_pipe_tex_mem_texture", 2048},
    // Counted apart on the card: atomics by generic addresses.
    {"add_u32_generic", "inst_executed_op_shared_atom", 512},
    // The update changes nothing, so that the compare-and-swap of more lanes succeeds.
    {"and_u64_met", "wavefronts_mem_shared_op_ld", 7168},
    {"and_u64_met", "wavefronts_mem_shared_op_atom", 12288},
    {"and_u64_met", "inst_executed_op_shared_atom", 4096},
    {"max_u64_met", "wavefronts_mem_shared_op_ld", 7168},
    {"max_u64_met", "wavefronts_mem_shared_op_atom", 12288},
    {"max_u64_met", "inst_executed_op_shared_atom", 4096},
    // Atomics by generic addresses, as those of halves are, pass the banks once more.
    {"add_f16x2_global", "wavefronts_mem_shared_op_atom", 0},
    {"add_f16x2_used", "wavefronts_mem_shared_op_atom", 0},
    {"add_f16x2_apart", "wavefronts_mem_shared_op_atom", 1024},
    {"add_f16x2_met", "wavefronts_mem_shared_op_atom", 8192},
    {"add_bf16x2_global", "wavefronts_mem_shared_op_atom", 0},
    {"add_bf16x2_used", "wavefronts_mem_shared_op_atom", 0},
    {"add_bf16x2_apart", "wavefronts_mem_shared_op_atom", 1024},
    {"add_bf16x2_met", "wavefronts_mem_shared_op_atom", 8192},
    {"add_f32_generic", "wavefronts_mem_shared_op_atom", 1024},
    {"add_u32_generic", "wavefronts_mem_shared_op_atom", 512},
    {"add_f32_generic", "conflicts_pipe_lsu_mem_shared_op_atom", 0},
    {"add_u32_generic", "conflicts_pipe_lsu_mem_shared_op_atom", 0},
    // Of 16 bits in global memory: a loop of a load and a compare-and-swap of the word.
    {"cas_u16_global", "requests_pipe_lsu_mem_global_op_ld", 512},
    {"cas_u16_global", "sectors_pipe_lsu_mem_global_op_ld", 2048},
    {"add_f16_global", "requests_pipe_lsu_mem_global_op_ld", 512},
    {"add_f16_global", "sectors_pipe_lsu_mem_global_op_ld", 2048},
    {"add_f16_global", "requests_pipe_lsu_mem_global_op_atom", 512},
    {"add_f16_global", "sectors_pipe_lsu_mem_global_op_atom", 8192},
    {"add_f16_global", "wavefronts_mem_shared_op_atom", 0},
};

const Difference* known(const std::string& kernel, const std::string& metric) {
  for (const Difference& difference : kDifferences) {
    if (difference.kernel == kernel && metric.ends_with(difference.metric + ".sum")) {
      return &difference;
    }
  }
  return nullptr;
}

}  // namespace

TEST_CASE("each path through the memory units counts on the emulator what ncu counted on an H200",
          "[counters][paths]") {
  auto counters = measured::counters_of("path_kernels");
  counters.merge(measured::counters_of("path_atomics"));
  int kernels = 0;
  std::size_t differences = 0;
  for (const auto& row : measured::rows_of("h200_paths.csv")) {
    const std::string& kernel = row.at("kernel");
    ++kernels;
    for (const auto& [metric, cell] : row) {
      if (metric == "kernel") continue;
      const double card = std::stod(cell);
      const double emulator = counters.at(kernel).at(metric);
      INFO(kernel << ' ' << metric << ": " << card << " on the card");
      if (const Difference* difference = known(kernel, metric)) {
        CHECK(difference->emulator != card);  // else it is not a difference
        CHECK(emulator == difference->emulator);
        ++differences;
      } else {
        CHECK(emulator == card);
      }
    }
  }
  CHECK(kernels == 126);
  CHECK(differences == kDifferences.size());
}
