#pragma once

#include <cstdint>
#include <string>

#include "emulator/recording/bytes.h"

// The program's calls in the file: docs/recordings.md, "The format".

namespace warpsim::recording {

void put(std::string& to, const Calls& calls);
/// @param files  how many the recording has  @throws BadRecording
[[nodiscard]] Calls read_calls(ByteReader& from, std::uint32_t files);

}  // namespace warpsim::recording
