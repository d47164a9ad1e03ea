#pragma once

#include <span>
#include <string_view>

// The files of pictures/, which the build makes parts of the program.

namespace warpsim::recording {

extern const std::string_view kPage;
extern const std::string_view kStyle;
extern const std::span<const std::string_view> kScripts;  // in the order in which they are needed

}  // namespace warpsim::recording
