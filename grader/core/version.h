#pragma once

namespace warpgrade {

extern const char* const kVersion;  // "0.2.0", from CMake's project()

}  // namespace warpgrade
