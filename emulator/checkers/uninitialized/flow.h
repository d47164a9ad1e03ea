#pragma once

#include <cstdint>
#include <vector>

#include "emulator/isa/description.h"
#include "emulator/ptx/module.h"
#include "emulator/ptx/type.h"

namespace warpsim {

struct Program;

/// A register operand.
struct FlowPlace {
  std::int32_t slot = -1;  // -1: an element of a vector that is not a register
  std::uint8_t bytes = 0;  // of a lane; 0: a predicate
};

/// An instruction of a decoded program by the places of its registers.
struct Flow {
  Effect effect = Effect::other;
  bool verbatim = false;  // bits of the result are bits of an operand, which were only moved
  bool compares = false;  // operands a and b, for a predicate
  bool is_signed = false;  // load: extends the sign
  bool exchanges = false;  // atom.exch: what was there before is only a result
  bool parameter = false;  // ld.param, st.param of a call's parameters
  ptx::Space space = ptx::Space::generic;  // load, store
  std::uint8_t element = 0;  // load, store: bytes of one vector element in memory; also exch
  std::uint8_t address_bytes = 8;  // load, store: width of the address in Inst::a
  std::vector<FlowPlace> reads;  // store: its elements in order; addresses of memory are apart
  std::vector<FlowPlace> writes;  // load: its elements in order
  bool knows_live = false;  // branch: `live` was computed
  std::vector<std::int32_t> live;  // slots whose value may be read after it, in order
};

/// By Inst::index.
[[nodiscard]] std::vector<Flow> flow_of(const Program& program);

}  // namespace warpsim
