#pragma once

#include <cstdint>
#include <vector>

#include "emulator/ptx/module.h"
#include "emulator/ptx/type.h"

namespace warpsim {

struct Program;

/// What an instruction does with values, as far as following them needs to know.
enum class FlowKind : std::uint8_t {
  pure,  // registers to registers, and nothing else: may be executed again
  collective,  // likewise among the lanes of a warp, once all of them are there
  load,
  store,
  atomic,
  branch,
  barrier,
  call,
  harmless,  // fences, hints: what they read does not matter
  other,
};

/// A register operand.
struct FlowPlace {
  std::int32_t slot = -1;  // -1: an element of a vector that is no register
  std::uint8_t bytes = 0;  // of a lane; 0: a predicate
};

struct Flow {
  FlowKind kind = FlowKind::other;
  bool verbatim = false;  // bits of the result are bits of an operand
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
  std::vector<std::int32_t> live;  // slots whose value may be read behind it, in order
};

/// Executing the instruction twice changes nothing: it computes its destination from registers, and
/// neither reads nor writes anything else.
[[nodiscard]] bool is_pure(const ptx::Instruction& instruction);

[[nodiscard]] FlowKind flow_kind(const ptx::Instruction& instruction);

/// By Inst::index.
[[nodiscard]] std::vector<Flow> flow_of(const Program& program);

}  // namespace warpsim
