#pragma once

#include "emulator/isa/description.h"

// What opcodes do: each row of the instruction table names one of these (semantics.cpp). Opcodes
// that the rest of the emulator treats alike share one; a new opcode seldom needs a new one.

namespace warpsim::semantics {

// -- from registers to registers
/// Computes a result from its operands, and nothing else.
extern const Semantics kCompute;
/// Likewise; each bit of the result is a bit of an operand, moved or not.
extern const Semantics kMoveBits;
extern const Semantics kShiftLeft;
/// Likewise; each bit of the result comes from the operands' bits at its position.
extern const Semantics kCombineBits;
/// The result is the operand.
extern const Semantics kMove;
/// Pure, too; moves bits where no type is a floating-point one.
extern const Semantics kConvert;
/// Compares, for a predicate.
extern const Semantics kDecide;
/// Compares, for a value.
extern const Semantics kCompare;
/// Arithmetic, which counts as such where its type is a floating-point one.
extern const Semantics kAdd;
extern const Semantics kSubtract;
extern const Semantics kMultiply;
extern const Semantics kMultiplyAdd;
/// Of the special function unit, or a sequence that uses it.
extern const Semantics kSpecial;
extern const Semantics kOtherArithmetic;
/// Has a result that is not of its operands alone, but of the carry flag, the block's place in its
/// cluster or the frame.
extern const Semantics kImpure;
/// Has no result, and an effect that nothing else asks about.
extern const Semantics kAction;
extern const Semantics kWarpAction;
/// Without effect on any value.
extern const Semantics kHint;

// -- lanes of a warp
extern const Semantics kShuffle;
extern const Semantics kVote;
/// Refined to match_any.
extern const Semantics kMatch;
extern const Semantics kReduceLanes;
extern const Semantics kElect;
extern const Semantics kActiveMask;

// -- control flow and barriers
extern const Semantics kBranch;
extern const Semantics kIndexedBranch;
/// Results and arguments are in the function's parameter space, which registers are not.
extern const Semantics kCall;
extern const Semantics kLeave;
extern const Semantics kTrap;
/// Of a warp, a block or a cluster, as the modifiers say.
extern const Semantics kBarrier;
extern const Semantics kFence;
/// An mbarrier in memory: arrives, waits, sets up.
extern const Semantics kMbarrier;

// -- memory
extern const Semantics kLoad;
/// Of a read-only address that is the same in all threads of a warp.
extern const Semantics kUniformLoad;
extern const Semantics kStore;
extern const Semantics kAtomic;
/// An atomic without a result.
extern const Semantics kReduction;
extern const Semantics kAsyncCopy;
extern const Semantics kTextureLoad;
extern const Semantics kSurfaceStore;

// -- matrices: their elements are spread over the lanes of a warp
extern const Semantics kMatrixMultiply;
/// Loads, stores or multiplies.
extern const Semantics kWmma;
extern const Semantics kMatrixMove;
/// Of a warp group, asynchronously; also its fences and waits.
extern const Semantics kGroupMultiply;

}  // namespace warpsim::semantics
