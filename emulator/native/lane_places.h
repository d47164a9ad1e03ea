#pragma once

#include <algorithm>
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

/// The first of the blocks of `lanes` lanes whose lanes lie where those of the `block`th do.
inline std::uint32_t first_alike(const std::uint32_t* relative, std::uint32_t lanes,
                                 std::uint32_t block) {
  for (std::uint32_t i = 0; i < block; ++i) {
    if (std::equal(relative + i * lanes, relative + (i + 1) * lanes, relative + block * lanes)) {
      return i;
    }
  }
  return block;
}

/// The lowest of four lanes' places.
inline std::int32_t first_of_bytes(const std::uint32_t* four) {
  std::int32_t first = static_cast<std::int32_t>(four[0]);
  for (std::uint32_t i = 1; i < 4; ++i) {
    first = std::min(first, static_cast<std::int32_t>(four[i]));
  }
  return first;
}

/// Bytes from a lane's place on that are read where lanes load bytes.
inline constexpr std::int64_t kBytesRead = 16;

/// Lanes that load bytes are so near that four of them need no more than that.
/// @param count  a multiple of 4
inline bool are_near(const std::uint32_t* relative, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int32_t first = first_of_bytes(relative + i / 4 * 4);
    if (static_cast<std::int32_t>(relative[i]) - first >= kBytesRead) return false;
  }
  return true;
}

}  // namespace warpsim::native
