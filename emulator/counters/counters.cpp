#include "emulator/counters/counters.h"

#include <numeric>

namespace warpsim {

void Counts::operator+=(const Counts& other) {
  executed += other.executed;
  threads += other.threads;
  predicated_off += other.predicated_off;
  divergent += other.divergent;
  requests += other.requests;
  sectors += other.sectors;
  ideal_sectors += other.ideal_sectors;
  l1_hits += other.l1_hits;
  wavefronts += other.wavefronts;
  ideal_wavefronts += other.ideal_wavefronts;
  bytes += other.bytes;
  lines += other.lines;
  max_multiplicity += other.max_multiplicity;
  distinct_addresses += other.distinct_addresses;
  updates += other.updates;
  remote += other.remote;
  arriving += other.arriving;
}

void Totals::add(const InstructionTraits& traits, const Counts& counts) {
  executed += counts.executed;
  threads += counts.threads;
  predicated_off += counts.predicated_off;
  divergent += counts.divergent;
  if (traits.branch) branches += counts.executed;
  if (traits.barrier) barriers += counts.executed;
  if (traits.shuffle) shuffles += counts.executed;
  if (traits.match) matches += counts.executed;
  if (traits.special) special += counts.executed;
  matrix_work += counts.executed * traits.matrix_work;
  matrix_cycles += counts.executed * traits.matrix_cycles;
  matrix_instructions += counts.executed * traits.matrix_instructions;
  matrix_bytes += counts.executed * traits.matrix_bytes;
  if (traits.fragments) {
    (traits.access == AccessKind::shared_load ? fragment_loads : fragment_stores) +=
        counts.requests;
  }
  if (traits.bulk != BulkUse::none) {
    bulk_copies[static_cast<std::size_t>(traits.bulk)] += counts.requests;
    bulk_bytes[static_cast<std::size_t>(traits.bulk)] += counts.arriving;
  } else if (traits.access == AccessKind::bulk_copy) {
    async_stores += counts.executed;
  }
  const std::uint64_t paths = traits.paths_by_requests ? counts.requests : counts.executed;
  path_cycles += paths * traits.path_cycles;
  load_waits += paths * traits.load_waits;
  if (traits.access != AccessKind::none) by_kind[static_cast<std::size_t>(traits.access)] += counts;
  if (traits.arithmetic != Arithmetic::none) {
    const auto which = static_cast<std::size_t>(traits.arithmetic);
    const std::uint64_t times = traits.arithmetic == Arithmetic::tensor
                                    ? counts.executed
                                    : counts.threads - counts.predicated_off;
    arithmetic[which] += times;
    arithmetic_warps[which] += counts.executed;
    flops[which] += times * traits.flops;
  }
}

void Totals::operator+=(const Totals& other) {
  executed += other.executed;
  threads += other.threads;
  predicated_off += other.predicated_off;
  branches += other.branches;
  divergent += other.divergent;
  barriers += other.barriers;
  shuffles += other.shuffles;
  matches += other.matches;
  special += other.special;
  matrix_work += other.matrix_work;
  matrix_cycles += other.matrix_cycles;
  matrix_instructions += other.matrix_instructions;
  matrix_bytes += other.matrix_bytes;
  fragment_loads += other.fragment_loads;
  fragment_stores += other.fragment_stores;
  async_stores += other.async_stores;
  for (std::size_t i = 0; i < kBulkUses; ++i) {
    bulk_copies[i] += other.bulk_copies[i];
    bulk_bytes[i] += other.bulk_bytes[i];
  }
  path_cycles += other.path_cycles;
  load_waits += other.load_waits;
  for (std::size_t i = 0; i < kArithmetics; ++i) {
    arithmetic[i] += other.arithmetic[i];
    arithmetic_warps[i] += other.arithmetic_warps[i];
    flops[i] += other.flops[i];
  }
  for (std::size_t i = 0; i < kAccessKinds; ++i) by_kind[i] += other.by_kind[i];
}

void CacheTotals::operator+=(const CacheTotals& other) {
  for (std::size_t i = 0; i < kL2Kinds; ++i) {
    sectors[i] += other.sectors[i];
    hits[i] += other.hits[i];
  }
  dram_reads += other.dram_reads;
  dram_writes += other.dram_writes;
  dirty_at_end += other.dirty_at_end;
}

std::uint64_t CacheTotals::all_sectors() const {
  return std::accumulate(sectors.begin(), sectors.end(), std::uint64_t{0});
}

std::uint64_t CacheTotals::all_hits() const {
  return std::accumulate(hits.begin(), hits.end(), std::uint64_t{0});
}

}  // namespace warpsim
