#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "emulator/isa/inst.h"

// What the machine tells a debugger, and what it asks of one. The machine declares it and debug/
// implements it. Without a debugger nothing of this is called: its warps run in a loop of their own
// (WarpContext::slow), and its blocks under a scheduler of their own (debug_run.cpp).

namespace warpsim {

struct BlockContext;
struct Finding;
struct LaunchState;
struct Program;
struct WarpContext;

class Debugger {
 public:
  Debugger() = default;
  virtual ~Debugger() = default;
  Debugger(const Debugger&) = delete;
  Debugger& operator=(const Debugger&) = delete;

  /// Whether it wants a launch, which runs as without a debugger otherwise.
  /// @param number  of the launch, from 1  @param kernel  its demangled name
  [[nodiscard]] virtual bool follows(std::uint64_t /*number*/, std::string_view /*kernel*/) const {
    return true;
  }
  /// A launch is about to run, on one host thread. Those of its accesses may be added to.
  virtual void begin(LaunchState& launch) = 0;
  /// All its blocks have ended, or it was stopped.
  /// @returns true when it has to run again from the start; memory is as it was then
  [[nodiscard]] virtual bool runs_again(LaunchState& launch) = 0;
  /// A block is ready to run its first instruction, and will run none any more.
  /// @returns whether it wants to be asked before the block's instructions
  [[nodiscard]] virtual bool block_begins(BlockContext& block) = 0;
  virtual void block_ends(BlockContext& block) = 0;

  /// Code of a warp has made a mistake, which is about to be logged. May return late.
  virtual void found(const WarpContext& context, const Finding& finding) = 0;

  /// Where goes_on wants to be asked, by instruction index; lives as long as the program.
  [[nodiscard]] virtual const std::uint8_t* marks(const Program& program) = 0;
  /// The warp is about to execute `in`, and `executed` has come to `ask_at` or `in` has a mark. May
  /// return late: meanwhile the device stands still.
  /// @returns false when the warp lets others run
  [[nodiscard]] virtual bool goes_on(WarpContext& context, const Inst& in) = 0;
  /// The warp that is to run next. May return late, as goes_on.
  /// @param turn  the warp whose turn it is: ready, as the one returned has to be
  [[nodiscard]] virtual WarpContext& choose(BlockContext& block, WarpContext& turn) = 0;

  /// Lanes that made the mistake of the finding that comes next; 0: not known.
  std::uint32_t at_fault = 0;
  /// Warp instructions that the launch has executed, in all blocks.
  std::uint64_t executed = 0;
  /// From which number on each instruction is asked for; another host thread may set it to 0.
  std::atomic<std::uint64_t> ask_at = 0;
  /// The instruction that is being executed, and its warp.
  const Inst* at = nullptr;
  WarpContext* warp = nullptr;
};

/// Runs the warp from `pc` as the normal loop would, and asks the debugger.
/// @returns where to go on, or kStop
[[nodiscard]] const Inst* run_debugged(WarpContext& context, const Inst* pc);

}  // namespace warpsim
