#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "emulator/recording/recording.h"

namespace warpsim::recording {

/// Adds the files by number, each with the text around the lines that the blocks name, where it can
/// be read. @param reads  whether files are opened at all
void add_sources(Recording& recording, const std::vector<std::string>& paths, bool reads);

/// Adds the text around the lines that the blocks name to a file of the recording.
/// @param number  of the file, from 1
void add_text(Recording& recording, std::uint32_t number, std::istream& text);

}  // namespace warpsim::recording
