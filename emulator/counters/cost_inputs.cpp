#include "emulator/counters/cost_inputs.h"

#include <array>
#include <initializer_list>

namespace warpsim {
namespace {

using enum AccessKind;

#define WARPSIM_COST_FIELD(name) \
  CostField {                    \
#name, &CostInputs::name     \
  }

constexpr std::array kFields = {
    WARPSIM_COST_FIELD(launches),
    WARPSIM_COST_FIELD(blocks),
    WARPSIM_COST_FIELD(warps),
    CostField{"blocks_per_multiprocessor", &CostInputs::blocks_per_multiprocessor, false},
    WARPSIM_COST_FIELD(l2_reads),
    WARPSIM_COST_FIELD(l2_read_hits),
    WARPSIM_COST_FIELD(l2_writes),
    WARPSIM_COST_FIELD(l2_atomics),
    WARPSIM_COST_FIELD(dram_reads),
    WARPSIM_COST_FIELD(dram_writes),
    WARPSIM_COST_FIELD(dram_left),
    WARPSIM_COST_FIELD(contended_shared),
    WARPSIM_COST_FIELD(copy_waits),
    WARPSIM_COST_FIELD(hottest_atomics),
    WARPSIM_COST_FIELD(instructions),
    WARPSIM_COST_FIELD(lanes),
    WARPSIM_COST_FIELD(special),
    WARPSIM_COST_FIELD(matches),
    WARPSIM_COST_FIELD(matrix_work),
    WARPSIM_COST_FIELD(path_cycles),
    WARPSIM_COST_FIELD(load_waits),
    WARPSIM_COST_FIELD(f32),
    WARPSIM_COST_FIELD(f64),
    WARPSIM_COST_FIELD(f16),
    WARPSIM_COST_FIELD(barriers),
    WARPSIM_COST_FIELD(global_load_requests),
    WARPSIM_COST_FIELD(global_load_sectors),
    WARPSIM_COST_FIELD(global_load_ideal_sectors),
    WARPSIM_COST_FIELD(global_load_lines),
    WARPSIM_COST_FIELD(global_load_hits),
    WARPSIM_COST_FIELD(global_load_bytes),
    WARPSIM_COST_FIELD(global_store_requests),
    WARPSIM_COST_FIELD(global_store_sectors),
    WARPSIM_COST_FIELD(global_store_ideal_sectors),
    WARPSIM_COST_FIELD(global_store_bytes),
    WARPSIM_COST_FIELD(local_load_requests),
    WARPSIM_COST_FIELD(local_load_sectors),
    WARPSIM_COST_FIELD(local_load_hits),
    WARPSIM_COST_FIELD(local_store_requests),
    WARPSIM_COST_FIELD(local_store_sectors),
    WARPSIM_COST_FIELD(texture_requests),
    WARPSIM_COST_FIELD(texture_sectors),
    WARPSIM_COST_FIELD(texture_hits),
    WARPSIM_COST_FIELD(copy_requests),
    WARPSIM_COST_FIELD(copy_sectors),
    WARPSIM_COST_FIELD(copy_wavefronts),
    WARPSIM_COST_FIELD(copy_ideal_wavefronts),
    WARPSIM_COST_FIELD(atomic_requests),
    WARPSIM_COST_FIELD(atomic_sectors),
    WARPSIM_COST_FIELD(reduction_requests),
    WARPSIM_COST_FIELD(reduction_sectors),
    WARPSIM_COST_FIELD(global_updates),
    WARPSIM_COST_FIELD(global_turns),
    WARPSIM_COST_FIELD(shared_load_requests),
    WARPSIM_COST_FIELD(shared_load_wavefronts),
    WARPSIM_COST_FIELD(shared_load_ideal_wavefronts),
    WARPSIM_COST_FIELD(shared_load_bytes),
    WARPSIM_COST_FIELD(shared_store_requests),
    WARPSIM_COST_FIELD(shared_store_wavefronts),
    WARPSIM_COST_FIELD(shared_store_ideal_wavefronts),
    WARPSIM_COST_FIELD(shared_atomic_requests),
    WARPSIM_COST_FIELD(shared_atomic_wavefronts),
    WARPSIM_COST_FIELD(shared_updates),
};
#undef WARPSIM_COST_FIELD
static_assert(kFields.size() * sizeof(double) == sizeof(CostInputs));

double warps_of(const Totals& totals, std::initializer_list<Arithmetic> which) {
  std::uint64_t total = 0;
  for (const Arithmetic a : which) total += totals.arithmetic_warps[static_cast<std::size_t>(a)];
  return static_cast<double>(total);
}

double at(const std::array<std::uint64_t, kL2Kinds>& values, L2Kind kind) {
  return static_cast<double>(values[static_cast<std::size_t>(kind)]);
}

/// Traffic below L1; without the cache model, everything misses.
void add_traffic(const CacheTotals& caches, CostInputs& in) {
  if (caches.all_sectors() != 0) {
    in.l2_reads = at(caches.sectors, L2Kind::read);
    in.l2_read_hits = at(caches.hits, L2Kind::read);
    in.l2_writes = at(caches.sectors, L2Kind::write);
    in.l2_atomics = at(caches.sectors, L2Kind::atomic) + at(caches.sectors, L2Kind::reduction);
    in.dram_reads = static_cast<double>(caches.dram_reads);
    in.dram_writes = static_cast<double>(caches.dram_writes + caches.dirty_at_end);
    in.dram_left = static_cast<double>(caches.dirty_at_end);
    return;
  }
  in.l2_reads = in.global_load_sectors + in.local_load_sectors + in.texture_sectors;
  in.l2_writes = in.global_store_sectors + in.local_store_sectors;
  in.l2_atomics = in.atomic_sectors + in.reduction_sectors;
  in.dram_reads = in.l2_reads + in.l2_atomics;
  in.dram_writes = in.l2_writes + in.l2_atomics;
}

}  // namespace

void CostInputs::operator+=(const CostInputs& other) {
  for (const CostField& field : kFields) {
    if (field.is_sum) this->*field.member += other.*field.member;
  }
}

CostInputs CostInputs::scaled(double factor) const {
  CostInputs result = *this;
  for (const CostField& field : kFields) {
    if (field.is_sum) result.*field.member *= factor;
  }
  return result;
}

std::span<const CostField> cost_fields() {
  return kFields;
}

CostInputs cost_inputs(const Totals& t) {
  const auto of = [&](AccessKind kind, std::uint64_t Counts::*member) {
    return static_cast<double>(t[kind].*member);
  };
  using enum Arithmetic;
  CostInputs in;
  in.instructions = static_cast<double>(t.executed);
  in.lanes = static_cast<double>(t.threads);
  in.special = static_cast<double>(t.special);
  in.matches = static_cast<double>(t.matches);
  in.matrix_work = static_cast<double>(t.matrix_work);
  in.path_cycles = static_cast<double>(t.path_cycles) / kPathParts;
  in.load_waits = static_cast<double>(t.load_waits) / kPathParts;
  in.f32 = warps_of(t, {fadd, fmul, ffma, fother});
  in.f64 = warps_of(t, {dadd, dmul, dfma, dother});
  in.f16 = warps_of(t, {hadd, hmul, hfma, hother});
  in.barriers = static_cast<double>(t.barriers);
  in.global_load_requests = of(global_load, &Counts::requests);
  in.global_load_sectors = of(global_load, &Counts::sectors);
  in.global_load_ideal_sectors = of(global_load, &Counts::ideal_sectors);
  in.global_load_lines = of(global_load, &Counts::lines);
  in.global_load_hits = of(global_load, &Counts::l1_hits);
  in.global_load_bytes = of(global_load, &Counts::bytes);
  in.global_store_requests = of(global_store, &Counts::requests);
  in.global_store_sectors = of(global_store, &Counts::sectors);
  in.global_store_ideal_sectors = of(global_store, &Counts::ideal_sectors);
  in.global_store_bytes = of(global_store, &Counts::bytes);
  in.local_load_requests = of(local_load, &Counts::requests);
  in.local_load_sectors = of(local_load, &Counts::sectors);
  in.local_load_hits = of(local_load, &Counts::l1_hits);
  in.local_store_requests = of(local_store, &Counts::requests);
  in.local_store_sectors = of(local_store, &Counts::sectors);
  in.texture_requests = of(texture_load, &Counts::requests);
  in.texture_sectors = of(texture_load, &Counts::sectors);
  in.texture_hits = of(texture_load, &Counts::l1_hits);
  in.copy_requests = of(global_to_shared, &Counts::requests);
  in.copy_sectors = of(global_to_shared, &Counts::sectors);
  in.copy_wavefronts = of(global_to_shared, &Counts::wavefronts);
  in.copy_ideal_wavefronts = of(global_to_shared, &Counts::ideal_wavefronts);
  in.atomic_requests = of(global_atomic, &Counts::requests);
  in.atomic_sectors = of(global_atomic, &Counts::sectors);
  in.reduction_requests = of(global_reduction, &Counts::requests);
  in.reduction_sectors = of(global_reduction, &Counts::sectors);
  in.global_updates = of(global_atomic, &Counts::updates) + of(global_reduction, &Counts::updates);
  in.global_turns = of(global_atomic, &Counts::max_multiplicity) +
                    of(global_reduction, &Counts::max_multiplicity);
  in.shared_load_requests = of(shared_load, &Counts::requests);
  in.shared_load_wavefronts = of(shared_load, &Counts::wavefronts);
  in.shared_load_ideal_wavefronts = of(shared_load, &Counts::ideal_wavefronts);
  in.shared_load_bytes = of(shared_load, &Counts::bytes);
  in.shared_store_requests = of(shared_store, &Counts::requests);
  in.shared_store_wavefronts = of(shared_store, &Counts::wavefronts);
  in.shared_store_ideal_wavefronts = of(shared_store, &Counts::ideal_wavefronts);
  in.shared_atomic_requests = of(shared_atomic, &Counts::requests);
  in.shared_atomic_wavefronts = of(shared_atomic, &Counts::wavefronts);
  in.shared_updates = of(shared_atomic, &Counts::updates);
  return in;
}

CostInputs cost_inputs(const KernelCounters& launches) {
  CostInputs in = cost_inputs(launches.totals);
  in.launches = static_cast<double>(launches.launches);
  in.blocks = static_cast<double>(launches.blocks);
  in.warps = static_cast<double>(launches.warps);
  in.blocks_per_multiprocessor = launches.blocks_per_multiprocessor;
  in.hottest_atomics = launches.hottest_atomics;
  in.contended_shared = static_cast<double>(launches.contended_shared);
  in.copy_waits = static_cast<double>(launches.copy_waits) / kPathParts;
  add_traffic(launches.caches, in);
  return in;
}

}  // namespace warpsim
