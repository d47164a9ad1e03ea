#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "emulator/machine/context.h"

// Mistakes of running code: the machine says what happened, as data, and checkers make findings of
// it (checkers/faults/). And the words for places and threads in findings (places.cpp). Nothing
// here is on a fast path.

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

/// `tile` + 128, for a place in shared memory.
[[nodiscard]] std::string shared_name(const LaunchState& launch, std::uint32_t offset);

// -- what can be wrong ----------------------------------------------------------------------------
//
// `in` is the instruction that the warp executes, and `lanes` are those concerned.

struct AsyncSite;  // async.h

namespace faults {

struct Trap {
  const WarpContext& warp;
  const Inst& in;
};
/// A loop from `target` to `in` and back that goes on for ever.
struct Endless {
  const WarpContext& warp;
  const Inst& in;
  const Inst& target;
};
/// Nothing that these blocks could run changes anything any more.
struct Deadlock {
  const std::vector<const BlockContext*>& blocks;
};

// -- calls

struct StackOverflow {
  const WarpContext& warp;
  const Inst& in;
  std::uint64_t used, available;  // bytes of local memory per thread
};
struct UnresolvedCall {
  const WarpContext& warp;
  const Inst& in;
  std::string_view name;
};
struct BadCall {
  const WarpContext& warp;
  const Inst& in;
  const std::uint64_t* targets;  // by lane
};

// -- barriers and masks

/// Lanes execute a `_sync` operation with a mask that leaves themselves out.
struct NotInMask {
  const WarpContext& warp;
  const Inst& in;
  std::uint32_t lanes, mask;
};
/// Lanes that a mask names have ended without coming to the operation, where others waited.
struct MissingLanes {
  const WarpContext& warp;
  const WarpSplit& waiting;
  std::uint32_t lanes;
  const Inst& left;  // the branch at which they diverged
};
/// The mask of a `_sync` operation is what __activemask() gave in divergent code.
struct ActiveMask {
  const WarpContext& warp;
  const Inst& in;
  std::uint32_t members;
};
/// Threads ended while others wait at a barrier.
struct ExitBeforeBarrier {
  const WarpContext& waiting;
  const Inst& at;
  std::uint32_t lanes;  // that wait
  const WarpContext& other;
  std::uint32_t gone;  // lanes of that one
};
/// Threads of one block meet at different barrier instructions.
struct BarrierMismatch {
  const WarpContext& warp;
  const Inst& in;
  const Program& first_program;
  const Inst& first_site;
};

// -- memory

/// An access outside every live allocation.
struct BadGlobal {
  const WarpContext& warp;
  const Inst& in;
  std::uint32_t lanes;
  const std::uint64_t* addresses;
  std::uint32_t width;
  AccessType type;
  const GlobalMemory::Allocation* there;  // nearest to the first lane's address; may be null
  /// The one that the address has left, or else `there`.
  const GlobalMemory::Allocation* near;
  bool null;  // in the page of the null pointer
  bool no_peer_access;  // in memory of another device that the kernel's may not use
};
/// An access outside the block's shared arrays.
struct BadShared {
  const WarpContext& warp;
  const Inst& in;
  std::uint32_t lanes;
  const std::uint32_t* offsets;
  std::uint32_t width;
  AccessType type;
};
struct BadLocal {
  const WarpContext& warp;
  const Inst& in;
  std::uint32_t lanes;
  const std::uint64_t* offsets;
  std::uint32_t width;
  AccessType type;
};
struct Misaligned {
  const WarpContext& warp;
  const Inst& in;
  std::uint32_t lanes;
  std::uint64_t address;  // of the first lane
  std::uint32_t width;
  std::string_view space;
};
struct WriteToConstant {
  const WarpContext& warp;
  const Inst& in;
  std::uint32_t lanes;
  std::uint64_t address;
};
/// Bytes that are not initialized are used at once.
struct Uninitialized {
  const WarpContext& warp;
  const Inst& in;
  std::uint32_t lanes;
  std::string_view space;
  std::uint64_t address;
  std::uint32_t width;
};

// -- asynchronous copies

/// Bytes of shared memory are read that a copy will write.
struct ReadInFlight {
  const WarpContext& warp;
  const Inst& in;
  std::uint32_t lanes, width;
  const BlockContext& block;  // whose memory it is
  std::uint32_t offset;  // of the first such byte
};
/// Two copies to the same bytes are in flight.
struct CopiesOverlap {
  const BlockContext& block;
  std::uint32_t offset;
  const AsyncSite& site;  // of the second
};
/// The bytes were written while the copy was in flight.
struct CopyOverwritten {
  const BlockContext& block;
  std::uint32_t offset;
  const AsyncSite& site;
};
/// A block has ended while a copy to its memory was in flight.
struct CopyAfterExit {
  const BlockContext& block;
  const AsyncSite& site;
};
/// The source is not what it was when the copy was issued, from this byte on.
struct SourceChanged {
  const AsyncSite& site;
  std::uint64_t offset;
};

}  // namespace faults

struct Fault {
  std::variant<faults::Trap, faults::Endless, faults::Deadlock, faults::StackOverflow,
               faults::UnresolvedCall, faults::BadCall, faults::NotInMask, faults::MissingLanes,
               faults::ActiveMask, faults::ExitBeforeBarrier, faults::BarrierMismatch,
               faults::BadGlobal, faults::BadShared, faults::BadLocal, faults::Misaligned,
               faults::WriteToConstant, faults::Uninitialized, faults::ReadInFlight,
               faults::CopiesOverlap, faults::CopyOverwritten, faults::CopyAfterExit,
               faults::SourceChanged>
      what;
};

/// Tells the checkers.
void raise(const LaunchState& launch, const Fault& fault);
void raise(const WarpContext& context, const Fault& fault);

}  // namespace warpsim
