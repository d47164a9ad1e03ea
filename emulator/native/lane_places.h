#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/isa/inst.h"
#include "emulator/isa/native_form.h"
#include "emulator/native/trace.h"

// What the emitters of accesses ask of instructions and of the places of lanes.

namespace warpsim::native {

inline std::uint32_t element_bytes(const NativeForm& form) {
  return form.type == NativeType::u64 ? 8 : 4;
}

inline std::int32_t element_slot(const Inst& in, std::uint32_t element) {
  const std::int32_t slots[] = {in.d, in.b, in.c, in.d2};
  return slots[element];
}

inline std::size_t group_word(const TraceGroup& group, state::GroupWord word) {
  return group.words + word;
}

enum class Lanes { row, same, scattered };

/// How `count` lanes from `first` on lie, with elements of `bytes`.
inline Lanes lanes_of(const std::uint32_t* relative, std::uint32_t count, std::uint32_t bytes) {
  bool row = true;
  bool same = true;
  for (std::uint32_t i = 1; i < count; ++i) {
    row = row && relative[i] == relative[0] + i * bytes;
    same = same && relative[i] == relative[0];
  }
  if (row) return Lanes::row;
  return same ? Lanes::same : Lanes::scattered;
}

}  // namespace warpsim::native
