#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/machine/context.h"

namespace warpsim {

/// What a loop that does not end looks at.
struct Spin {
  const Inst* read = nullptr;  // the load or atomic in it, preferably one that sees other threads
  bool strong = false;  // it is volatile, relaxed or atomic
  std::string what;  // "4 bytes at offset 0 of `cudaMalloc #1`, now 0"; empty without a read
};

/// Looks at the instructions [first, last] of a loop as the lanes of `split` execute it.
[[nodiscard]] Spin look_at_loop(const WarpContext& context, const WarpSplit& split,
                                const Inst& first, const Inst& last);
/// The smallest loop around an instruction, from its head to its backward jump.
struct Loop {
  const Inst* head = nullptr;  // null: there is none
  const Inst* last = nullptr;
};
[[nodiscard]] Loop loop_around(const Program& program, const Inst& in);
/// What to say about a loop that waits for memory: the compiler may read a plain variable once.
[[nodiscard]] std::string advice(const Spin& spin);

/// Nothing that these blocks could run changes anything any more: which threads wait, and for what.
void report_deadlock(const std::vector<const BlockContext*>& blocks);

}  // namespace warpsim
