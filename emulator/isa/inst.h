#pragma once

#include <cstddef>
#include <cstdint>

namespace warpsim {

struct Warp;
struct Inst;

constexpr int kWarpSize = 32;
constexpr std::uint32_t kFullMask = 0xffffffffu;

/// Executes one instruction for the lanes in `warp.active` and returns the next instruction to
/// run: `&in + 1` for everything but control flow, or `kStop` to hand control to the scheduler.
using Handler = const Inst* (*)(Warp& warp, const Inst& in);

/// Greater than the address of every instruction, so that the interpreter loop needs only one
/// comparison: `while (pc < warp.stop) pc = pc->run(warp, *pc)`.
inline const Inst* const kStop = reinterpret_cast<const Inst*>(~std::uintptr_t{63});

/// A decoded instruction: one cache line, every operand a byte offset into the warp's register
/// file (immediates and special registers have slots there too, so handlers never test kinds).
struct alignas(64) Inst {
  Handler run = nullptr;
  std::int32_t d = -1;  // destination slot; predicates are 32-bit masks in their slot
  std::int32_t a = -1;  // first source
  std::int32_t b = -1;
  std::int32_t c = -1;
  union {
    std::int64_t offset = 0;  // ld, st, atom: constant part of the address
    std::uint64_t imm;  // lop3's table, prmt's mode, sreg numbers, ...
    const Inst* target;  // bra
    const void* extra;  // call, brx, vector operands: a side structure owned by the program
  };
  Handler guarded = nullptr;  // what `run` was before it got a guard
  std::int32_t guard = -1;  // guard predicate's slot; -1 when there is none
  std::int32_t d2 = -1;  // second destination (setp p|q, shfl d|p)
  std::uint32_t index = 0;  // number within the program: counters and source locations
  /// Instructions right before this one that need no execution (see Decoder::is_copy) and are
  /// counted with it.
  std::uint32_t covers = 0;
  std::uint8_t aux = 0;  // for the handler's own use
  std::uint8_t width = 0;  // memory: bytes per lane, of all elements of a vector
  std::uint8_t flags = 0;  // InstFlag
  std::uint8_t aux2 = 0;
};
static_assert(sizeof(Inst) == 64);

enum InstFlag : std::uint8_t {
  kGuardNegated = 1,  // @!%p
  kVolatile = 2,  // ld.volatile, ld.relaxed, ...: other threads may change the value
  kDeadResult = 4,  // atom whose result is not read: counts as red
  kControl = 8,  // may change the flow: ends a basic block
  kToBarrier = 64,  // bra: forward, to a barrier of the whole block (see skip_to_barriers)
  kPastL1 = 16,  // .cg, .cv: the first-level cache is not asked
  kPolls = 32,  // ld: a loop waits for what it reads (machine/polls.h)
};

}  // namespace warpsim
