#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "harness/case/case.h"

namespace warpgrade {

/// What the device process says of the call in a worker.
struct Delivery {
  /// What the program did that it must not, as after "the program"; empty: nothing.
  std::string violation;
  /// The call ended, and its arrays were the harness's; otherwise there are no outputs.
  bool complete = false;

  /// An output in host memory with values that the device did not send to the host.
  struct Foreign {
    std::string argument;
    std::uint64_t bytes = 0;
    std::uint64_t of_bytes = 0;
    std::uint64_t first_element = 0;
  };
  std::optional<Foreign> foreign;  // the first; few bytes, as of combined results, are none
};

/// From now on the case's outputs are those that the device process has delivered, whatever the
/// worker wrote. An output whose memory the call released is as before the call.
///
/// @param file  in the device process's folder (emulator/cudart/outputs_file.h)
[[nodiscard]] Delivery take_delivery(const PreparedCase& prepared,
                                     const std::filesystem::path& file);

}  // namespace warpgrade
