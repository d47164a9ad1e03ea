#pragma once

#include <string>
#include <vector>

namespace warpgrade {

/// The command line of this process as it was started, with the program's full path, to run it
/// again with other options.
[[nodiscard]] std::vector<std::string> own_command();

}  // namespace warpgrade
