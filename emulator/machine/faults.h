#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/machine/context.h"

// Findings of running code: what the machine reports, and the words for places and threads in it
// (places.cpp). The report functions are in checkers/: kernel_faults.cpp, sync_report.cpp,
// deadlock_report.cpp, async_report.cpp, uninitialized/report.cpp. Nothing here is on a fast path.

namespace warpsim {

/// Fills where, who, file, line, kernel and order of a finding for an instruction.
/// @param lanes  the lanes concerned; the first is named, the rest counted
[[nodiscard]] Finding finding_at(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                                 FindingKind kind);
void log(const WarpContext& context, Finding finding);
/// Fills kernel, where, file and line of a finding about an instruction of a launch, which may have
/// ended.
[[nodiscard]] Finding finding_at(const LaunchState& launch, const Program& program, const Inst& in,
                                 FindingKind kind);

/// True when no earlier occurrence of this kind of finding at `in` was logged by this host thread.
/// Others may be logged without their texts: the earliest one is shown, and the rest only counted.
[[nodiscard]] bool comes_first(const WarpContext& context, const Inst& in, FindingKind kind,
                               std::uint64_t executed);

/// A loop from `target` to `in` and back that goes on for ever.
void report_budget(const WarpContext& context, const Inst& in, const Inst& target);

/// "kernel.cu:12: ld.global.f32 %f1, [%rd8]", with the inlined-at chain.
[[nodiscard]] std::string describe_place(const Program& program, const Inst& in);
/// "ld.global.f32 %f1, [%rd8]"
[[nodiscard]] std::string instruction_text(const Program& program, std::size_t index);
/// "block (3,0,0) thread (8,0,0), warp 0 lane 8"
[[nodiscard]] std::string describe_thread(const WarpContext& context, int lane);
[[nodiscard]] std::string describe_thread(const LaunchState& launch, std::uint64_t block,
                                          std::uint32_t warp, int lane);
/// "; first of 5 lanes out of bounds", or nothing for one lane. @param what  about the lanes
[[nodiscard]] std::string describe_lanes(std::uint32_t lanes, const char* what);
/// Where the warp's next instruction is in the order of its block's findings (Finding::order).
[[nodiscard]] std::uint64_t order_in_block(const WarpContext& context);
/// "block (3,0,0)". @param block  in the order of blocks, as BlockContext::linear
[[nodiscard]] std::string describe_block(const LaunchState& launch, std::uint64_t block);
/// File and line of an instruction in the program's own sources: for code of the compiler's
/// headers, the line that uses them. Line 0 when the compiler recorded none.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // from 1; 0 if unknown
};
[[nodiscard]] SourcePlace source_place(const Program& program, std::size_t index);

void report_trap(const WarpContext& context, const Inst& in);
/// @param used, available  bytes of local memory per thread
void report_stack_overflow(const WarpContext& context, const Inst& in, std::uint64_t used,
                           std::uint64_t available);
void report_unresolved_call(const WarpContext& context, const Inst& in, const std::string& name);
void report_bad_call(const WarpContext& context, const Inst& in, const std::uint64_t* targets);

/// Lanes execute a `_sync` operation with a mask that leaves themselves out.
void report_not_in_mask(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                        std::uint32_t mask);
/// Threads ended while others wait at a barrier.
void report_exit_before_barrier(const WarpContext& waiting, const Inst& at, std::uint32_t lanes,
                                const WarpContext& other, std::uint32_t gone);
/// Threads of one block meet at different barrier instructions.
void report_barrier_mismatch(const WarpContext& context, const Inst& in,
                             const Program& first_program, const Inst& first_site);
/// Lanes that a mask names have ended without coming to the operation, where others waited.
/// @param left  the branch at which they diverged
void report_missing_lanes(const WarpContext& context, const WarpSplit& waiting, std::uint32_t lanes,
                          const Inst& left);
/// The mask of a _sync operation is what __activemask() gave in divergent code.
void report_active_mask(const WarpContext& context, const Inst& in, std::uint32_t members);

/// An access outside every live allocation.
/// @param lanes  lanes whose address is bad
/// @returns true when a card would have stopped the kernel, too
bool report_bad_global(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                       const std::uint64_t* addresses, std::uint32_t width, AccessType type);
/// An access outside the block's shared arrays. @returns as above
bool report_bad_shared(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                       const std::uint32_t* offsets, std::uint32_t width, AccessType type);
void report_bad_local(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                      const std::uint64_t* offsets, std::uint32_t width, AccessType type);
void report_misaligned(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                       std::uint64_t address, std::uint32_t width, std::string_view space);
void report_unwritten(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                      std::string_view space, std::uint64_t address, std::uint32_t width);
void report_write_to_constant(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                              std::uint64_t address);

}  // namespace warpsim
