#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "emulator/recording/recording.h"
#include "emulator/timeline/timeline.h"

namespace warpsim {

/// The timeline's first operations for a recording, those of the announced call if there was one.
/// @param file_number  the number of a source file in the recording
[[nodiscard]] recording::Calls to_calls(
    const Timeline& timeline, const std::function<std::uint32_t(const std::string&)>& file_number);

}  // namespace warpsim
