#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/diagnose/clues.h"

// Where in arrays findings are: from their texts, which name elements and sizes.

namespace warpgrade {

/// The number after a word: 10 after "(element " in "byte offset 40 (element 10 of 4 bytes)".
[[nodiscard]] std::optional<std::int64_t> number_after(const std::string& text,
                                                       std::string_view word);

/// The first element of an array that nothing wrote, in one case.
struct FirstUnwritten {
  std::uint64_t element = 0;
  std::uint64_t elements = 0;  // of the array; 0: unknown
  std::uint64_t width = 0;  // bytes of an element
};

/// Of this finding in each case that has it; empty if a case does not say it.
[[nodiscard]] std::vector<FirstUnwritten> first_unwritten(const Clues& clues,
                                                          const ReportedFinding& finding);

/// Whether the first part of each array was written that has as many bytes as the whole one has
/// elements: in two cases or more, of different sizes.
[[nodiscard]] bool written_by_elements(const std::vector<FirstUnwritten>& cases);

/// The element that is the first unwritten one in all cases, of different sizes, if it is a
/// multiple of a warp; 0 if there is none.
[[nodiscard]] std::uint64_t same_first_unwritten(const std::vector<FirstUnwritten>& cases);

}  // namespace warpgrade
