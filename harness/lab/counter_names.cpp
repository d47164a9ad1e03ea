#include "harness/lab/counter_names.h"

#include <algorithm>
#include <array>
#include <vector>

#include "emulator/timeline/transfers.h"

namespace warpgrade {

namespace {

constexpr std::array kCounters = {
    CounterName{.name = "global_load_requests",
                .metric = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                .metric_too = "l1tex__t_requests_pipe_tex_mem_texture.sum",
                .meaning = "warp instructions that load global memory, including through textures"},
    CounterName{.name = "global_load_sectors",
                .metric = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                .metric_too = "l1tex__t_sectors_pipe_tex_mem_texture.sum",
                .meaning = "32-byte sectors accessed by global loads, including through textures"},
    CounterName{.name = "global_store_requests",
                .metric = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                .meaning = "warp instructions that store to global memory"},
    CounterName{.name = "global_store_sectors",
                .metric = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                .meaning = "32-byte sectors accessed by global stores"},
    CounterName{.name = "global_atomic_requests",
                .metric = "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
                .meaning = "warp-wide global atomics whose result is used"},
    CounterName{.name = "global_atomic_sectors",
                .metric = "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
                .meaning = "sectors accessed by global atomics whose result is used"},
    CounterName{.name = "global_reduction_requests",
                .metric = "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
                .meaning = "warp-wide global atomics whose result is not used"},
    CounterName{.name = "global_reduction_sectors",
                .metric = "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
                .meaning = "sectors accessed by global atomics whose result is not used"},
    CounterName{.name = "global_atomic_lanes",
                .metric = "global_atomic_threads",
                .meaning = "updates by global atomics of both kinds, per thread; on the emulator "
                           "of the array with most of them in each launch, without grid.sync()'s",
                .narrower = "global_atomic_threads_of_one_array"},
    CounterName{.name = "constant_loads",
                .metric = "constant_loads",
                .meaning = "warp instructions that load constant memory, without parameters"},
    CounterName{.name = "shared_load_requests",
                .metric = "smsp__inst_executed_op_shared_ld.sum",
                .metric_too = "smsp__inst_executed_op_ldsm.sum",
                .meaning = "warp instructions that load shared memory"},
    CounterName{.name = "shared_store_requests",
                .metric = "smsp__inst_executed_op_shared_st.sum",
                .metric_too = "matrix_stores",
                .meaning = "warp instructions that store to shared memory"},
    CounterName{.name = "shared_atomic_requests",
                .metric = "smsp__inst_executed_op_shared_atom.sum",
                .metric_too = "l1tex__t_requests_pipe_lsu_mem_dshared_op_atom.sum",
                .meaning = "warp-wide atomics on shared memory"},
    CounterName{.name = "shared_atomic_lanes",
                .metric = "shared_atomic_threads",
                .meaning = "updates by atomics on shared memory, per thread"},
    CounterName{.name = "shared_load_wavefronts",
                .metric = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                .meaning = "wavefronts of shared loads"},
    CounterName{.name = "shared_store_wavefronts",
                .metric = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                .meaning = "wavefronts of shared stores"},
    CounterName{.name = "shared_atomic_wavefronts",
                .metric = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
                .meaning = "wavefronts of shared atomics"},
    CounterName{.name = "shared_load_conflicts",
                .metric = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                .meaning = "additional wavefronts of shared loads due to bank conflicts"},
    CounterName{.name = "shared_store_conflicts",
                .metric = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
                .meaning = "additional wavefronts of shared stores due to bank conflicts"},
    CounterName{.name = "shared_atomic_conflicts",
                .metric = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
                .meaning = "additional wavefronts of shared atomics due to bank conflicts"},
    CounterName{.name = "local_load_requests",
                .metric = "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
                .meaning = "warp instructions that load local memory"},
    CounterName{.name = "local_store_requests",
                .metric = "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
                .meaning = "warp instructions that store to local memory"},
    CounterName{.name = "warp_instructions",
                .metric = "smsp__inst_executed.sum",
                .meaning = "instructions executed, per warp"},
    CounterName{.name = "thread_instructions",
                .metric = "smsp__thread_inst_executed.sum",
                .meaning = "instructions executed, per thread"},
    CounterName{.name = "warp_barriers",
                .metric = "barriers",
                .meaning = "arrivals at a barrier of the block, per warp"},
    CounterName{.name = "branch_instructions",
                .metric = "branches",
                .meaning = "branches executed, per warp"},
    CounterName{.name = "divergent_branches",
                .metric = "smsp__sass_branch_targets_threads_divergent.sum",
                .meaning = "divergent branches"},
    CounterName{.name = "shuffles", .metric = "shuffles", .meaning = "warp-wide shuffles"},
    CounterName{.name = "matches",
                .metric = "matches",
                .meaning = "match operations of each lane with all others, per warp"},
    CounterName{.name = "flops_fadd",
                .metric = "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                .meaning = "additions of 32 bits, per thread"},
    CounterName{.name = "flops_fmul",
                .metric = "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
                .meaning = "multiplications of 32 bits, per thread"},
    CounterName{.name = "flops_ffma",
                .metric = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                .meaning = "fused multiply-adds of 32 bits, per thread"},
    CounterName{.name = "flops_dadd",
                .metric = "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
                .meaning = "additions of 64 bits, per thread"},
    CounterName{.name = "flops_dmul",
                .metric = "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
                .meaning = "multiplications of 64 bits, per thread"},
    CounterName{.name = "flops_dfma",
                .metric = "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
                .meaning = "fused multiply-adds of 64 bits, per thread"},
    CounterName{.name = "flops_f32",
                .metric = "flops_f32",
                .meaning = "32-bit floating-point operations, two per fused multiply-add"},
    CounterName{.name = "flops_f64",
                .metric = "flops_f64",
                .meaning = "64-bit floating-point operations, two per fused multiply-add"},
    CounterName{.name = "flops_tensor",
                .metric = "flops_tensor",
                .meaning = "operations of matrix instructions, 2 * m * n * k each"},
    CounterName{
        .name = "flops_half", .metric = "flops_f16", .meaning = "16-bit floating-point operations"},
    CounterName{.name = "tensor_instructions",
                .metric = "tensor_instructions",
                .meaning = "matrix instructions, per warp"},
    CounterName{.name = "async_copies",
                .metric = "smsp__inst_executed_op_ldgsts.sum",
                .metric_too = "bulk_copies",
                .meaning = "asynchronous copies to shared memory, per warp"},
    CounterName{.name = "dram_read_sectors",
                .metric = "dram__sectors_read.sum",
                .meaning = "sectors read from device memory, after the modelled caches"},
    CounterName{.name = "dram_write_sectors",
                .metric = "dram__sectors_write.sum",
                .metric_too = "l2_dirty_sectors_at_end",
                .meaning = "sectors written to device memory by the modelled caches"},
    CounterName{.name = "l2_read_sectors",
                .metric = "lts__t_sectors_op_read.sum",
                .meaning = "sectors read from the modelled second-level cache"},
    CounterName{.name = "launches", .scope = CounterScope::launches, .meaning = "kernels launched"},
    CounterName{.name = "blocks", .metric = "blocks", .meaning = "blocks launched"},
    CounterName{.name = "threads", .metric = "threads", .meaning = "threads launched"},
    CounterName{.name = "warps", .metric = "warps", .meaning = "warps launched"},
    CounterName{.name = "block_threads",
                .scope = CounterScope::block_threads,
                .meaning = "threads per block, of the kernel with the longest modelled time"},
    CounterName{.name = "registers",
                .scope = CounterScope::costliest_kernel,
                .metric = "launch__registers_per_thread",
                .meaning = "registers per thread, of the kernel with the longest modelled time"},
    CounterName{
        .name = "shared_bytes",
        .scope = CounterScope::costliest_kernel,
        .metric = "launch__shared_mem_per_block_static",
        .metric_too = "launch__shared_mem_per_block_dynamic",
        .meaning =
            "bytes of shared memory per block, of the kernel with the longest modelled time"},
    CounterName{.name = "theoretical_occupancy",
                .scope = CounterScope::costliest_kernel,
                .metric = "sm__maximum_warps_per_active_cycle_pct",
                .meaning = "occupancy in percent, of the kernel with the longest modelled time"},
    CounterName{.name = "max_launch_blocks",
                .scope = CounterScope::largest_grid,
                .meaning = "blocks of the largest launch"},
    CounterName{
        .name = "timeline_us",
        .scope = CounterScope::timeline_time,
        .meaning = "microseconds of the call on the modelled timeline, with copies and waits"},
    CounterName{
        .name = "overlap_us",
        .scope = CounterScope::timeline_overlap,
        .meaning =
            "microseconds of the call in which two engines work, such as a copy and a kernel"},
};

}  // namespace

std::span<const CounterName> counter_names() {
  static const std::vector<CounterName> all = [] {
    std::vector<CounterName> names(kCounters.begin(), kCounters.end());
    for (const warpsim::TransferCounter& counter : warpsim::transfer_counters()) {
      names.push_back({.name = counter.name,
                       .scope = CounterScope::transfers,
                       .metric = counter.name,
                       .meaning = counter.meaning});
    }
    return names;
  }();
  return all;
}

const CounterName* find_counter(std::string_view name) {
  const std::span<const CounterName> all = counter_names();
  const auto found = std::ranges::find(all, name, &CounterName::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace warpgrade
