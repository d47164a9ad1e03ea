#include "emulator/report/metrics.h"

#include <array>

namespace warpsim {
namespace {

using enum AccessKind;

MetricValue executed(const CounterView& c) {
  return c.executed;
}
MetricValue threads(const CounterView& c) {
  return c.threads;
}
MetricValue divergent(const CounterView& c) {
  return c.divergent;
}

MetricValue threads_per_instruction(const CounterView& c) {
  return c.executed == 0 ? 0.0 : static_cast<double>(c.threads) / static_cast<double>(c.executed);
}

template <AccessKind kKind>
MetricValue requests(const CounterView& c) {
  return c[kKind].requests;
}

template <AccessKind kKind>
MetricValue sectors(const CounterView& c) {
  return c[kKind].sectors;
}

template <AccessKind kKind>
MetricValue excess_sectors(const CounterView& c) {
  return c[kKind].sectors - c[kKind].ideal_sectors;
}

template <AccessKind kKind>
MetricValue bytes(const CounterView& c) {
  return c[kKind].bytes;
}

/// Same-address lanes of atomics: what is left when every request would touch an address once.
template <AccessKind kKind>
MetricValue contention(const CounterView& c) {
  return c[kKind].max_multiplicity;
}

template <AccessKind... kKinds>
MetricValue wavefronts(const CounterView& c) {
  return (c[kKinds].wavefronts + ...);
}

/// Conflicts are the wavefronts beyond those that the access needs without any.
template <AccessKind... kKinds>
MetricValue conflicts(const CounterView& c) {
  return ((c[kKinds].wavefronts - c[kKinds].ideal_wavefronts) + ...);
}

constexpr auto kMetrics = std::to_array<Metric>({
    {"smsp__inst_executed.sum", executed},
    {"smsp__thread_inst_executed.sum", threads},
    {"smsp__thread_inst_executed_per_inst_executed.ratio", threads_per_instruction},
    {"smsp__sass_branch_targets_threads_divergent.sum", divergent},

    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", requests<global_load>},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", sectors<global_load>},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", requests<global_store>},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", sectors<global_store>},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", requests<global_atomic>},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", sectors<global_atomic>},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", requests<global_reduction>},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", sectors<global_reduction>},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", requests<local_load>},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", sectors<local_load>},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", requests<local_store>},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", sectors<local_store>},

    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", wavefronts<shared_load>},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", wavefronts<shared_store>},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", wavefronts<shared_atomic>},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
     wavefronts<shared_load, shared_store, shared_atomic>},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", conflicts<shared_load>},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", conflicts<shared_store>},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", conflicts<shared_atomic>},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
     conflicts<shared_load, shared_store, shared_atomic>},

    {"smsp__inst_executed_op_ldgsts.sum", requests<global_to_shared>},
    {"sm__sass_data_bytes_mem_global_op_ldgsts.sum", bytes<global_to_shared>},

    {"global_load_bytes", bytes<global_load>},
    {"global_store_bytes", bytes<global_store>},
    {"global_load_excess_sectors", excess_sectors<global_load>},
    {"global_store_excess_sectors", excess_sectors<global_store>},
    {"global_atomic_contention", contention<global_atomic>},
    {"global_reduction_contention", contention<global_reduction>},
    {"global_to_shared_sectors", sectors<global_to_shared>},
    {"global_to_shared_excess_sectors", excess_sectors<global_to_shared>},
    {"global_to_shared_wavefronts", wavefronts<global_to_shared>},
    {"global_to_shared_conflicts", conflicts<global_to_shared>},
    {"bulk_copies", requests<bulk_copy>},
    {"bulk_copy_bytes", bytes<bulk_copy>},
    {"shared_load_requests", requests<shared_load>},
    {"shared_store_requests", requests<shared_store>},
    {"shared_atomic_requests", requests<shared_atomic>},
    {"shared_atomic_contention", contention<shared_atomic>},
});

}  // namespace

CounterView CounterView::of(const KernelCounters& kernel) {
  return {kernel.executed, kernel.thread_instructions, kernel.divergent_branches, kernel.by_kind};
}

CounterView CounterView::of(const LineCounters& line) {
  return {line.executed, line.threads, line.divergent, line.by_kind};
}

std::span<const Metric> all_metrics() {
  return kMetrics;
}

}  // namespace warpsim
