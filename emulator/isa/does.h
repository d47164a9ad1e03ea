#pragma once

#include "emulator/isa/description.h"

// What opcodes do: each row of the instruction table names one of these. Opcodes that the rest of
// the emulator treats alike share one; a new opcode seldom needs a new one.

namespace warpsim::does {

/// What modifiers change (description.cpp).
void refine_arithmetic(const ptx::Instruction& instruction, Description& description);
void refine_convert(const ptx::Instruction& instruction, Description& description);
void refine_collective(const ptx::Instruction& instruction, Description& description);
void refine_memory(const ptx::Instruction& instruction, Description& description);
void refine_load(const ptx::Instruction& instruction, Description& description);
void refine_atomic(const ptx::Instruction& instruction, Description& description);
void refine_mbarrier(const ptx::Instruction& instruction, Description& description);
void refine_barrier(const ptx::Instruction& instruction, Description& description);
void refine_matrix(const ptx::Instruction& instruction, Description& description);
void refine_wmma(const ptx::Instruction& instruction, Description& description);

// -- from registers to registers
/// Computes a result from its operands, and nothing else.
inline constexpr Semantics kCompute{.description = {.effect = Effect::pure}};
/// Likewise; each bit of the result is a bit of an operand, or of a few bits at the same place.
inline constexpr Semantics kMoveBits{.description = {.effect = Effect::pure, .verbatim = true}};
inline constexpr Semantics kMove{
    .description = {.effect = Effect::pure, .copies = true, .verbatim = true}};
inline constexpr Semantics kConvert{.description = {.effect = Effect::pure},
                                    .refine = refine_convert};
/// Compares, for a predicate.
inline constexpr Semantics kDecide{
    .description = {.effect = Effect::pure, .compares = true, .decides = true}};
/// Compares, for a value.
inline constexpr Semantics kCompare{.description = {.effect = Effect::pure, .compares = true}};
/// Arithmetic, which counts as such where its type is a floating-point one.
inline constexpr Semantics kAdd{
    .description = {.effect = Effect::pure, .unit = ArithmeticUnit::add},
    .refine = refine_arithmetic};
inline constexpr Semantics kMultiply{
    .description = {.effect = Effect::pure, .unit = ArithmeticUnit::multiply},
    .refine = refine_arithmetic};
inline constexpr Semantics kMultiplyAdd{
    .description = {.effect = Effect::pure, .unit = ArithmeticUnit::multiply_add},
    .refine = refine_arithmetic};
/// Of the special function unit, or a sequence that uses it.
inline constexpr Semantics kSpecial{
    .description = {.effect = Effect::pure, .unit = ArithmeticUnit::special},
    .refine = refine_arithmetic};
inline constexpr Semantics kOtherArithmetic{
    .description = {.effect = Effect::pure, .unit = ArithmeticUnit::other},
    .refine = refine_arithmetic};
/// Has a result that is not of its operands alone, but of the carry flag, the block's place in its
/// cluster or the frame.
inline constexpr Semantics kImpure{};
/// Has no result, and an effect that nothing else asks about.
inline constexpr Semantics kAction{.description = {.has_result = false}};
inline constexpr Semantics kWarpAction{
    .description = {.convergence = Convergence::warp, .has_result = false}};
/// Without effect on any value.
inline constexpr Semantics kHint{.description = {.effect = Effect::harmless, .has_result = false}};

// -- lanes of a warp
inline constexpr Semantics kShuffle{.description = {.effect = Effect::collective,
                                                    .convergence = Convergence::warp,
                                                    .collective = Collective::shuffle,
                                                    .varies = true,
                                                    .verbatim = true},
                                    .refine = refine_collective};
inline constexpr Semantics kVote{.description = {.effect = Effect::collective,
                                                 .convergence = Convergence::warp,
                                                 .collective = Collective::vote,
                                                 .varies = true},
                                 .refine = refine_collective};
/// Refined to match_any.
inline constexpr Semantics kMatch{.description = {.effect = Effect::collective,
                                                  .convergence = Convergence::warp,
                                                  .collective = Collective::match_all,
                                                  .varies = true},
                                  .refine = refine_collective};
inline constexpr Semantics kReduceLanes{.description = {.effect = Effect::collective,
                                                        .convergence = Convergence::warp,
                                                        .collective = Collective::reduce,
                                                        .varies = true},
                                        .refine = refine_collective};
inline constexpr Semantics kElect{.description = {.convergence = Convergence::warp,
                                                  .collective = Collective::elect,
                                                  .varies = true},
                                  .refine = refine_collective};
inline constexpr Semantics kActiveMask{.description = {.convergence = Convergence::warp,
                                                       .collective = Collective::active_mask,
                                                       .varies = true}};

// -- control flow and barriers
inline constexpr Semantics kBranch{.description = {
                                       .effect = Effect::branch,
                                       .control = Control::branch,
                                       .has_result = false,
                                   }};
inline constexpr Semantics kIndexedBranch{.description = {
                                              .effect = Effect::branch,
                                              .control = Control::indexed_branch,
                                              .has_result = false,
                                          }};
/// Results and arguments are in the function's parameter space, which registers are not.
inline constexpr Semantics kCall{.description = {
                                     .effect = Effect::call,
                                     .control = Control::call,
                                     .has_result = false,
                                     .varies = true,
                                 }};
inline constexpr Semantics kLeave{.description = {.control = Control::leave, .has_result = false}};
inline constexpr Semantics kTrap{.description = {.control = Control::trap, .has_result = false}};
/// Of a warp, a block or a cluster, as the modifiers say.
inline constexpr Semantics kBarrier{.description = {.effect = Effect::barrier,
                                                    .convergence = Convergence::block,
                                                    .has_result = false},
                                    .refine = refine_barrier};
inline constexpr Semantics kFence{.description = {.effect = Effect::harmless, .has_result = false},
                                  .refine = refine_memory};
/// An mbarrier in memory: arrives, waits, sets up.
inline constexpr Semantics kMbarrier{.description = {.asynchronous = true},
                                     .refine = refine_mbarrier};

// -- memory
inline constexpr Semantics kLoad{.description = {.effect = Effect::load}, .refine = refine_load};
inline constexpr Semantics kStore{.description = {.effect = Effect::store, .has_result = false},
                                  .refine = refine_memory};
inline constexpr Semantics kAtomic{.description = {.effect = Effect::atomic, .varies = true},
                                   .refine = refine_atomic};
/// An atomic without a result.
inline constexpr Semantics kReduction{
    .description = {.effect = Effect::atomic, .has_result = false}, .refine = refine_atomic};
inline constexpr Semantics kAsyncCopy{.description = {.has_result = false, .asynchronous = true},
                                      .refine = refine_memory};
inline constexpr Semantics kTextureLoad{.description = {.varies = true}};
inline constexpr Semantics kSurfaceStore{.description = {.has_result = false}};

// -- matrices: their elements are spread over the lanes of a warp
inline constexpr Semantics kMatrixMultiply{
    .description = {.convergence = Convergence::warp, .varies = true}, .refine = refine_matrix};
/// Loads, stores or multiplies.
inline constexpr Semantics kWmma{.description = {.convergence = Convergence::warp, .varies = true},
                                 .refine = refine_wmma};
inline constexpr Semantics kMatrixMove{
    .description = {.convergence = Convergence::warp, .varies = true}, .refine = refine_memory};

}  // namespace warpsim::does
