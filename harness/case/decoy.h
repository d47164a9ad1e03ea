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
/// input has become another one of the same distribution, wherever it stands: so they are as valid
/// as the case's own, and a program that moves its inputs before it copies them moves both alike.
///
/// @param draw  decides which: unpredictable without knowing it
/// @returns null when the case cannot tell the two apart: no inputs, elements of one or two bytes,
///   or outputs that are the same within the tolerance at nearly all elements
[[nodiscard]] std::shared_ptr<const CaseData> make_decoy(const CaseData& data,
                                                         std::string_view draw,
                                                         const GoldenLibrary& golden);

/// Both as the device process reads them.
[[nodiscard]] std::vector<warpsim::cudart::DecoyArray> decoy_arrays(const CaseData& host,
                                                                    const CaseData& device);

/// Elements of the outputs by whose inputs they follow from.
struct DecoyFits {
  std::uint64_t device = 0;  // only from the device's
  std::uint64_t host = 0;  // only from the host's
  std::uint64_t both = 0;
  std::uint64_t neither = 0;
  /// Not the device's, and what the host's input holds at the same place: an algorithm that works
  /// in place has left them as they were. They say nothing.
  std::uint64_t left = 0;

  [[nodiscard]] std::uint64_t telling() const { return device + host + neither; }
};

/// @param prepared  run with `device` on the device; its own data are the host's
/// @returns nothing when an output is missing
[[nodiscard]] std::optional<DecoyFits> count_fits(const PreparedCase& prepared,
                                                  const CaseData& device);

}  // namespace warpgrade
