#include "grader/run/cost_model/line_changes.h"

#include <algorithm>

namespace warpgrade {
namespace {

using warpsim::CostInputs;

constexpr double kSectorsALine = 4;

double share(double part, double whole) {
  return whole > 0 ? std::min(1.0, part / whole) : 0;
}

double misses(const CostInputs& in) {
  return in.global_load_sectors - in.global_load_hits + in.local_load_sectors - in.local_load_hits +
         in.texture_sectors - in.texture_hits + in.copy_sectors;
}

}  // namespace

CostInputs line_with_traffic(const CostInputs& line, const CostInputs& kernel) {
  CostInputs result = line;
  result.l2_reads = misses(line);
  const double of_reads = share(result.l2_reads, kernel.l2_reads);
  result.dram_reads = std::min(result.l2_reads, kernel.dram_reads * of_reads);
  result.l2_read_hits = kernel.l2_read_hits * of_reads;
  const double stored = line.global_store_sectors + line.local_store_sectors;
  const double atomics = line.atomic_sectors + line.reduction_sectors;
  result.l2_writes = stored;
  result.l2_atomics =
      kernel.l2_atomics * share(atomics, kernel.atomic_sectors + kernel.reduction_sectors);
  result.dram_writes =
      kernel.dram_writes * share(stored + result.l2_atomics, kernel.l2_writes + kernel.l2_atomics);
  result.hottest_atomics = kernel.hottest_atomics * share(line.global_turns, kernel.global_turns);
  return result;
}

void set_loads(CostInputs& line, double requests, double sectors) {
  const double before = line.global_load_sectors;
  const double missed = before - line.global_load_hits;
  // More sectors than before have the same miss rate; fewer keep the misses, as far as there are
  // enough sectors.
  const double misses_now =
      sectors > before ? missed * (before > 0 ? sectors / before : 1) : std::min(missed, sectors);
  const double difference = misses_now - missed;
  line.instructions = std::max(0.0, line.instructions + requests - line.global_load_requests);
  line.global_load_requests = requests;
  line.global_load_sectors = sectors;
  line.global_load_ideal_sectors = std::min(line.global_load_ideal_sectors, sectors);
  // Sectors without excess fill their lines.
  const double fewest = std::max(std::min(requests, sectors), sectors / kSectorsALine);
  line.global_load_lines =
      sectors <= line.global_load_ideal_sectors
          ? fewest
          : std::max(fewest, before > 0 ? line.global_load_lines * sectors / before : 0);
  line.global_load_hits = sectors - misses_now;
  line.l2_reads = std::max(0.0, line.l2_reads + difference);
  line.dram_reads = std::min(line.dram_reads, line.l2_reads);
  line.l2_read_hits = std::clamp(line.l2_read_hits + difference, 0.0, line.l2_reads);
}

void set_stores(CostInputs& line, double requests, double sectors) {
  line.instructions = std::max(0.0, line.instructions + requests - line.global_store_requests);
  line.global_store_requests = requests;
  line.l2_writes = std::max(0.0, line.l2_writes + sectors - line.global_store_sectors);
  line.global_store_sectors = sectors;
  line.global_store_ideal_sectors = std::min(line.global_store_ideal_sectors, sectors);
  line.dram_writes = std::min(line.dram_writes, line.l2_writes + line.l2_atomics);
}

void scale_global_atomics(CostInputs& line, double factor) {
  const double requests = line.atomic_requests + line.reduction_requests;
  line.instructions = std::max(0.0, line.instructions - (1 - factor) * requests);
  for (double CostInputs::*count :
       {&CostInputs::atomic_requests, &CostInputs::atomic_sectors, &CostInputs::reduction_requests,
        &CostInputs::reduction_sectors, &CostInputs::global_updates, &CostInputs::global_turns,
        &CostInputs::l2_atomics, &CostInputs::hottest_atomics}) {
    line.*count *= factor;
  }
}

void scale_shared_loads(CostInputs& line, double factor) {
  line.instructions = std::max(0.0, line.instructions - (1 - factor) * line.shared_load_requests);
  line.shared_load_requests *= factor;
  line.shared_load_wavefronts *= factor;
  line.shared_load_ideal_wavefronts *= factor;
  line.shared_load_bytes *= factor;
}

void follow_counts(const CostInputs& before, CostInputs& after) {
  const auto scaled = [](double value, double is, double was) {
    return was > 0 ? value * is / was : value;
  };
  const auto loads = [](const CostInputs& in) {
    return in.global_load_requests + in.local_load_requests + in.texture_requests;
  };
  after.path_cycles = scaled(before.path_cycles, after.instructions, before.instructions);
  after.load_waits = scaled(before.load_waits, loads(after), loads(before));
}

}  // namespace warpgrade
