#include "emulator/machine/serialized_lanes.h"

#include "emulator/machine/context.h"

namespace warpsim {

const Inst* run_in_turn(Warp& warp, const Inst& in) {
  const Program::InTurn& pair = warp.context->frame().program->in_turn.at(in.index);
  const std::uint32_t all = warp.active;
  for (std::uint32_t rest = all; rest != 0; rest &= rest - 1) {
    warp.active = rest & (0u - rest);
    const Inst* pc = pair.load(warp, in);
    while (pc > &in && pc < pair.end) pc = pc->run(warp, *pc);
    if (pc != pair.end) {  // the kernel was stopped
      warp.active = all;
      return pc;
    }
  }
  warp.active = all;
  return pair.end;
}

}  // namespace warpsim
