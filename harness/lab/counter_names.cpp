#include "harness/lab/counter_names.h"

#include <algorithm>
#include <array>

namespace warpgrade {

namespace {

constexpr std::array kCounters = {
    CounterName{.name = "global_load_requests",
                .metric = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                .meaning = "warp instructions that load global memory"},
    CounterName{.name = "global_load_sectors",
                .metric = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                .meaning = "32-byte sectors that global loads touch"},
    CounterName{.name = "global_store_requests",
                .metric = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                .meaning = "warp instructions that store to global memory"},
    CounterName{.name = "global_store_sectors",
                .metric = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                .meaning = "32-byte sectors that global stores touch"},
    CounterName{.name = "global_atomic_sectors",
                .metric = "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
                .meaning = "sectors touched by global atomics whose result is used"},
    CounterName{.name = "global_reduction_sectors",
                .metric = "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
                .meaning = "sectors touched by global atomics whose result is not used"},
    CounterName{.name = "shared_load_wavefronts",
                .metric = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                .meaning = "passes over the banks for shared loads"},
    CounterName{.name = "shared_store_wavefronts",
                .metric = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                .meaning = "passes over the banks for shared stores"},
    CounterName{.name = "shared_load_conflicts",
                .metric = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                .meaning = "extra passes that bank conflicts cost shared loads"},
    CounterName{.name = "shared_store_conflicts",
                .metric = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
                .meaning = "extra passes that bank conflicts cost shared stores"},
    CounterName{.name = "warp_instructions",
                .metric = "smsp__inst_executed.sum",
                .meaning = "instructions executed, once a warp"},
    CounterName{.name = "thread_instructions",
                .metric = "smsp__thread_inst_executed.sum",
                .meaning = "instructions executed, once a thread"},
};

}  // namespace

std::span<const CounterName> counter_names() {
  return kCounters;
}

const CounterName* find_counter(std::string_view name) {
  const auto* found = std::find_if(kCounters.begin(), kCounters.end(),
                                   [&](const CounterName& c) { return c.name == name; });
  return found == kCounters.end() ? nullptr : found;
}

}  // namespace warpgrade
