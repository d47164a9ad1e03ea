#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "emulator/cudart/decoy_file.h"
#include "harness/case/case.h"

namespace warpgrade {

/// The same case with other inputs, for the device only (emulator/cudart/decoy.h). Each value of an
/// input is replaced everywhere by another one of the same distribution, so the inputs are valid,
/// too, and a program that rearranges its inputs before copying them rearranges both in the same
/// way.
///
/// @param draw  the seed of the replacements, which are unpredictable without it
/// The indices of a sparse matrix, elements of one or two bytes and arrays of structures stay as
/// they are.
/// @returns null if the outputs cannot distinguish the two: the lab's submissions are programs, no
///   input could be replaced, or outputs are equal within the tolerance at nearly all elements
[[nodiscard]] std::shared_ptr<const CaseData> make_decoy(const CaseData& data,
                                                         std::string_view draw,
                                                         const GoldenLibrary& golden);

/// Both, in the device process's format; valid as long as both are.
[[nodiscard]] std::vector<warpsim::cudart::DecoyView> decoy_arrays(const CaseData& host,
                                                                   const CaseData& device);

/// Counts output elements by the inputs that they match.
struct DecoyFits {
  std::uint64_t device = 0;  // only from the device's
  std::uint64_t host = 0;  // only from the host's
  std::uint64_t both = 0;
  std::uint64_t neither = 0;
  /// Not the device's result, but the host's input at the same position, which an in-place
  /// algorithm may have left unchanged: inconclusive.
  std::uint64_t left = 0;

  [[nodiscard]] std::uint64_t telling() const { return device + host + neither; }
};

/// @param prepared  a run with `device` on the device; its own data are the host's
/// @returns nothing if an output is missing
[[nodiscard]] std::optional<DecoyFits> count_fits(const PreparedCase& prepared,
                                                  const CaseData& device);

}  // namespace warpgrade
