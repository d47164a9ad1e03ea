#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace warpsim::cudart {

/// The first uninitialized byte of [begin, end) that is not padding of a structure.
///
/// Padding goes from the end of a member to a multiple of an alignment, and some member close by
/// has that alignment: a store of that width has written it. So `{double, int}` has four bytes of
/// padding, and of `{int, int}` the second member was forgotten. What cannot be told from padding
/// is a last member of four bytes behind one of eight.
///
/// @param shadow  of an allocation (written_by_store), which is aligned to more than any member
[[nodiscard]] std::optional<std::uint64_t> first_hole(std::span<const std::uint8_t> shadow,
                                                      std::uint64_t begin, std::uint64_t end);

}  // namespace warpsim::cudart
