#include "emulator/report/metrics.h"

#include <array>

namespace warpsim {
namespace {

using enum AccessKind;

double quotient(std::uint64_t part, std::uint64_t whole, double scale = 1) {
  return whole == 0 ? 0.0 : scale * static_cast<double>(part) / static_cast<double>(whole);
}

template <std::uint64_t Totals::*kMember>
MetricValue total(const Totals& t) {
  return t.*kMember;
}

MetricValue threads_predicated_on(const Totals& t) {
  return t.threads - t.predicated_off;
}
MetricValue threads_per_instruction(const Totals& t) {
  return quotient(t.threads, t.executed);
}
MetricValue uniform_branches(const Totals& t) {
  return t.branches == 0 ? 0.0 : quotient(t.branches - t.divergent, t.branches, 100);
}

/// The sum of one member of Counts over kinds of access.
template <std::uint64_t Counts::*kMember, AccessKind... kKinds>
MetricValue sum(const Totals& t) {
  return ((t[kKinds].*kMember) + ...);
}
template <AccessKind... kKinds>
constexpr auto requests = sum<&Counts::requests, kKinds...>;
template <AccessKind... kKinds>
constexpr auto sectors = sum<&Counts::sectors, kKinds...>;
template <AccessKind... kKinds>
constexpr auto wavefronts = sum<&Counts::wavefronts, kKinds...>;

/// Warp instructions on shared memory, without those that a card counts apart: ldmatrix, stmatrix,
/// and atomics on another block's.
MetricValue plain_shared_loads(const Totals& t) {
  return t[shared_load].requests - t.fragment_loads;
}
MetricValue plain_shared_stores(const Totals& t) {
  return t[shared_store].requests - t.fragment_stores;
}
MetricValue own_shared_atomics(const Totals& t) {
  return t[shared_atomic].requests - t[shared_atomic].remote;
}
MetricValue remote_stores(const Totals& t) {
  return t[shared_store].remote + t.async_stores;
}

template <BulkUse kUse>
MetricValue bulk_copies(const Totals& t) {
  return t.bulk_copies[static_cast<std::size_t>(kUse)];
}
template <BulkUse kUse>
MetricValue bulk_bytes(const Totals& t) {
  return t.bulk_bytes[static_cast<std::size_t>(kUse)];
}

/// Shared-memory wavefronts for the operands of wgmma.
MetricValue operand_wavefronts(const Totals& t) {
  constexpr std::uint64_t kPassBytes = 128;
  return t.matrix_bytes / kPassBytes;
}

template <AccessKind... kKinds>
MetricValue l1_misses(const Totals& t) {
  return ((t[kKinds].sectors - t[kKinds].l1_hits) + ...);
}

/// Sectors beyond the minimum for an access's bytes. A request with fewer sectors than its bytes
/// fill (serialized atomics) has no excess.
template <AccessKind... kKinds>
MetricValue excess_sectors(const Totals& t) {
  return ((t[kKinds].sectors - t[kKinds].ideal_sectors) + ...);
}

/// Conflicts are the wavefronts beyond the conflict-free minimum.
template <AccessKind... kKinds>
MetricValue conflicts(const Totals& t) {
  return ((t[kKinds].wavefronts - t[kKinds].ideal_wavefronts) + ...);
}

template <AccessKind kKind>
MetricValue bytes_per_sector(const Totals& t) {
  return quotient(t[kKind].bytes, t[kKind].sectors);
}

template <Arithmetic kWhich>
MetricValue operations(const Totals& t) {
  return t[kWhich];
}

template <Arithmetic... kWhich>
MetricValue flops(const Totals& t) {
  return (t.flops[static_cast<std::size_t>(kWhich)] + ...);
}

constexpr auto kMetrics = std::to_array<Metric<Totals>>({
    {"smsp__inst_executed.sum", total<&Totals::executed>},
    {"smsp__thread_inst_executed.sum", total<&Totals::threads>},
    {"smsp__thread_inst_executed_pred_on.sum", threads_predicated_on},
    {"smsp__thread_inst_executed_per_inst_executed.ratio", threads_per_instruction},
    {"smsp__sass_branch_targets_threads_divergent.sum", total<&Totals::divergent>},
    {"smsp__sass_average_branch_targets_threads_uniform.pct", uniform_branches},
    {"branches", total<&Totals::branches>},
    {"barriers", total<&Totals::barriers>},
    {"shuffles", total<&Totals::shuffles>},
    {"matches", total<&Totals::matches>},

    // The card counts the reads of cp.async among the loads.
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", requests<global_load, global_to_shared>,
     Needs::counters},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", sectors<global_load, global_to_shared>,
     Needs::counters},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
     sum<&Counts::l1_hits, global_load, global_to_shared>, Needs::cache},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum",
     l1_misses<global_load, global_to_shared>, Needs::cache},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", requests<global_store>, Needs::counters},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", sectors<global_store>, Needs::counters},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", requests<global_atomic>, Needs::counters},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", sectors<global_atomic>, Needs::counters},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", requests<global_reduction>,
     Needs::counters},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", sectors<global_reduction>, Needs::counters},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio",
     bytes_per_sector<global_load>, Needs::counters},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio",
     bytes_per_sector<global_store>, Needs::counters},

    {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", requests<local_load>, Needs::counters},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", sectors<local_load>, Needs::counters},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum", sum<&Counts::l1_hits, local_load>,
     Needs::cache},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum", l1_misses<local_load>,
     Needs::cache},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", requests<local_store>, Needs::counters},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", sectors<local_store>, Needs::counters},

    {"l1tex__t_requests_pipe_tex_mem_texture.sum", requests<texture_load>, Needs::counters},
    {"l1tex__t_sectors_pipe_tex_mem_texture.sum", sectors<texture_load>, Needs::counters},
    {"l1tex__t_sectors_pipe_tex_mem_texture_lookup_hit.sum", sum<&Counts::l1_hits, texture_load>,
     Needs::cache},
    {"l1tex__t_sectors_pipe_tex_mem_texture_lookup_miss.sum", l1_misses<texture_load>,
     Needs::cache},

    {"smsp__inst_executed_op_shared_ld.sum", plain_shared_loads, Needs::counters},
    {"smsp__inst_executed_op_shared_st.sum", plain_shared_stores, Needs::counters},
    {"smsp__inst_executed_op_shared_atom.sum", own_shared_atomics, Needs::counters},
    {"smsp__inst_executed_op_ldsm.sum", total<&Totals::fragment_loads>, Needs::counters},
    {"matrix_stores", total<&Totals::fragment_stores>, Needs::counters},
    {"l1tex__t_requests_pipe_lsu_mem_dshared_op_ld.sum", sum<&Counts::remote, shared_load>,
     Needs::counters},
    {"l1tex__t_requests_pipe_lsu_mem_dshared_op_st.sum", remote_stores, Needs::counters},
    {"l1tex__t_requests_pipe_lsu_mem_dshared_op_atom.sum", sum<&Counts::remote, shared_atomic>,
     Needs::counters},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", wavefronts<shared_load>,
     Needs::counters},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", wavefronts<shared_store>,
     Needs::counters},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", wavefronts<shared_atomic>,
     Needs::counters},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
     wavefronts<shared_load, shared_store, shared_atomic>, Needs::counters},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_ideal.sum",
     sum<&Counts::ideal_wavefronts, shared_load, shared_store, shared_atomic>, Needs::counters},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", conflicts<shared_load>,
     Needs::counters},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", conflicts<shared_store>,
     Needs::counters},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", conflicts<shared_atomic>,
     Needs::counters},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
     conflicts<shared_load, shared_store, shared_atomic>, Needs::counters},

    {"smsp__inst_executed_op_ldgsts.sum", sum<&Counts::requests, global_to_shared>,
     Needs::counters},
    {"sm__sass_data_bytes_mem_global_op_ldgsts.sum", sum<&Counts::bytes, global_to_shared>,
     Needs::counters},
    {"sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum",
     wavefronts<global_to_shared>, Needs::counters},

    {"sm__sass_inst_executed_op_tma_ld.sum", bulk_copies<BulkUse::load>, Needs::counters},
    {"sm__sass_inst_executed_op_tma_st.sum", bulk_copies<BulkUse::store>, Needs::counters},
    {"sm__sass_inst_executed_op_tma_red.sum", bulk_copies<BulkUse::reduction>, Needs::counters},
    {"sm__sass_inst_executed_op_dshared_tma_st.sum", bulk_copies<BulkUse::to_shared>,
     Needs::counters},
    {"l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum", bulk_bytes<BulkUse::load>,
     Needs::counters},
    {"l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_st.sum", bulk_bytes<BulkUse::store>,
     Needs::counters},
    {"l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_red.sum", bulk_bytes<BulkUse::reduction>,
     Needs::counters},
    {"l1tex__m_xbar2l1tex_read_bytes_mem_dshared_op_tma_st.sum", bulk_bytes<BulkUse::to_shared>,
     Needs::counters},

    {"sm__inst_executed_pipe_tensor.sum", total<&Totals::matrix_instructions>},
    {"sm__pipe_tensor_cycles_active.sum", total<&Totals::matrix_cycles>},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum", operand_wavefronts},
    {"sm__sass_data_bytes_mem_shared_op_gmma.sum", total<&Totals::matrix_bytes>},

    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", operations<Arithmetic::fadd>},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", operations<Arithmetic::fmul>},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", operations<Arithmetic::ffma>},
    {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", operations<Arithmetic::dadd>},
    {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", operations<Arithmetic::dmul>},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", operations<Arithmetic::dfma>},
    {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", operations<Arithmetic::hadd>},
    {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", operations<Arithmetic::hmul>},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", operations<Arithmetic::hfma>},
    {"flops_f16", flops<Arithmetic::hadd, Arithmetic::hmul, Arithmetic::hfma, Arithmetic::hother>},
    {"flops_f32", flops<Arithmetic::fadd, Arithmetic::fmul, Arithmetic::ffma, Arithmetic::fother>},
    {"flops_f64", flops<Arithmetic::dadd, Arithmetic::dmul, Arithmetic::dfma, Arithmetic::dother>},
    {"flops_tensor", flops<Arithmetic::tensor>},
    {"tensor_instructions", operations<Arithmetic::tensor>},

    {"global_load_bytes", sum<&Counts::bytes, global_load>, Needs::counters},
    {"global_load_lines", sum<&Counts::lines, global_load>, Needs::counters},
    {"global_store_bytes", sum<&Counts::bytes, global_store>, Needs::counters},
    {"global_load_excess_sectors", excess_sectors<global_load>, Needs::counters},
    {"global_store_excess_sectors", excess_sectors<global_store>, Needs::counters},
    {"global_atomic_threads", sum<&Counts::updates, global_atomic, global_reduction>,
     Needs::counters},
    {"global_atomic_contention", sum<&Counts::max_multiplicity, global_atomic, global_reduction>,
     Needs::counters},
    {"global_atomic_addresses", sum<&Counts::distinct_addresses, global_atomic, global_reduction>,
     Needs::counters},
    {"constant_loads", sum<&Counts::executed, constant_load>, Needs::counters},
    {"global_to_shared_sectors", sum<&Counts::sectors, global_to_shared>, Needs::counters},
    {"global_to_shared_excess_sectors", excess_sectors<global_to_shared>, Needs::counters},
    {"global_to_shared_conflicts", conflicts<global_to_shared>, Needs::counters},
    {"bulk_copies", sum<&Counts::requests, bulk_copy>, Needs::counters},
    {"bulk_copy_bytes", sum<&Counts::bytes, bulk_copy>, Needs::counters},
    {"shared_atomic_threads", sum<&Counts::updates, shared_atomic>, Needs::counters},
    {"shared_atomic_contention", sum<&Counts::max_multiplicity, shared_atomic>, Needs::counters},
    {"shared_atomic_addresses", sum<&Counts::distinct_addresses, shared_atomic>, Needs::counters},
});

template <std::uint64_t KernelCounters::*kMember>
MetricValue kernel(const KernelCounters& k) {
  return k.*kMember;
}
template <std::uint64_t CacheTotals::*kMember>
MetricValue cache(const KernelCounters& k) {
  return k.caches.*kMember;
}

template <L2Kind kKind>
MetricValue l2_sectors(const KernelCounters& k) {
  return k.caches.sectors[static_cast<std::size_t>(kKind)];
}
template <L2Kind kKind>
MetricValue l2_hits(const KernelCounters& k) {
  return k.caches.hits[static_cast<std::size_t>(kKind)];
}
template <L2Kind kKind>
MetricValue l2_misses(const KernelCounters& k) {
  constexpr auto kind = static_cast<std::size_t>(kKind);
  return k.caches.sectors[kind] - k.caches.hits[kind];
}

constexpr auto kKernelMetrics = std::to_array<Metric<KernelCounters>>({
    {"l1tex__t_sector_hit_rate.pct",
     [](const KernelCounters& k) -> MetricValue {
       const Totals& t = k.totals;
       return quotient(t[global_load].l1_hits + t[local_load].l1_hits + t[texture_load].l1_hits,
                       t[global_load].sectors + t[local_load].sectors + t[texture_load].sectors,
                       100);
     },
     Needs::cache},
    {"lts__t_sectors_op_read.sum", l2_sectors<L2Kind::read>, Needs::cache},
    {"lts__t_sectors_op_read_lookup_hit.sum", l2_hits<L2Kind::read>, Needs::cache},
    {"lts__t_sectors_op_read_lookup_miss.sum", l2_misses<L2Kind::read>, Needs::cache},
    {"lts__t_sectors_op_write.sum", l2_sectors<L2Kind::write>, Needs::cache},
    {"lts__t_sectors_op_atom.sum", l2_sectors<L2Kind::atomic>, Needs::cache},
    {"lts__t_sectors_op_red.sum", l2_sectors<L2Kind::reduction>, Needs::cache},
    {"lts__t_sector_hit_rate.pct",
     [](const KernelCounters& k) -> MetricValue {
       return quotient(k.caches.all_hits(), k.caches.all_sectors(), 100);
     },
     Needs::cache},
    {"dram__sectors_read.sum", cache<&CacheTotals::dram_reads>, Needs::cache},
    {"dram__sectors_write.sum", cache<&CacheTotals::dram_writes>, Needs::cache},
    {"l2_dirty_sectors_at_end", cache<&CacheTotals::dirty_at_end>, Needs::cache},
    {"hottest_atomics_cycles",
     [](const KernelCounters& k) -> MetricValue { return k.hottest_atomics; }, Needs::counters},
    {"global_atomic_threads_of_one_array", kernel<&KernelCounters::atomics_of_one_array>,
     Needs::counters},
    {"blocks", kernel<&KernelCounters::blocks>},
    {"threads", kernel<&KernelCounters::threads>},
    {"warps", kernel<&KernelCounters::warps>},
    {"modelled_ms", [](const KernelCounters& k) -> MetricValue { return k.modelled_ms; }},
    {"launch__registers_per_thread",
     [](const KernelCounters& k) -> MetricValue { return std::uint64_t{k.registers}; }},
    {"launch__shared_mem_per_block_static", kernel<&KernelCounters::static_shared_bytes>},
    {"launch__shared_mem_per_block_dynamic", kernel<&KernelCounters::dynamic_shared_bytes>},
    {"blocks_per_multiprocessor",
     [](const KernelCounters& k) -> MetricValue {
       return static_cast<std::uint64_t>(k.blocks_per_multiprocessor);
     }},
    {"sm__maximum_warps_per_active_cycle_pct",
     [](const KernelCounters& k) -> MetricValue { return 100.0 * k.theoretical_occupancy; }},
});

}  // namespace

bool is_counted(Needs needs, const CheckOptions& checks) {
  switch (needs) {
    case Needs::nothing:
      return true;
    case Needs::counters:
      return checks.counters;
    case Needs::cache:
      return checks.counters && checks.cache;
  }
  return true;
}

std::span<const Metric<Totals>> all_metrics() {
  return kMetrics;
}

std::span<const Metric<KernelCounters>> kernel_metrics() {
  return kKernelMetrics;
}

}  // namespace warpsim
