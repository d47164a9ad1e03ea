#pragma once

#include <string>

#include "emulator/recording/recording.h"

namespace warpsim::recording {

/// One page that contains the recording and all that is needed to look at it.
[[nodiscard]] std::string to_page(const Recording& recording);

}  // namespace warpsim::recording
