#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "harness/case/case.h"
#include "harness/case/decoy.h"

namespace warpgrade {

/// The work of a case's call, done again by the device process with other inputs and without the
/// program (emulator/cudart/call_replay.h).
struct CaseReplay {
  std::string problem;  // half a sentence: why it did not come to its end; empty: it did
  /// Bytes of device data that host code could use for later work, without those that are compared
  /// as outputs.
  std::uint64_t host_reads = 0;
  std::uint64_t host_bytes = 0;  // bytes that host code gave to the device
  std::uint64_t input_bytes = 0;  // of the case
  std::optional<DecoyFits> fits;  // nothing unless it came to its end
};

/// @param folder      that the device process has filled
/// @param prepared    the case; its data are those of the run
/// @param for_device  the same case with the inputs of the replay
/// @returns nothing if there was no replay
[[nodiscard]] std::optional<CaseReplay> read_replay(const std::filesystem::path& folder,
                                                    const PreparedCase& prepared,
                                                    const CaseData& for_device);

/// Bytes of device data that may come back to the host between the kernels of a case, for partial
/// results that it combines and conditions that it tests: the lab's `host_reads`, or an eighth of
/// the inputs, and 16 KiB in any case.
[[nodiscard]] std::uint64_t allowed_host_reads(const CaseData& data, std::uint64_t input_bytes);

}  // namespace warpgrade
