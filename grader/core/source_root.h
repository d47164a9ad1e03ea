#pragma once

namespace warpgrade {

/// The checkout that this program was built from, on the machine that built it.
extern const char* const kSourceRoot;

}  // namespace warpgrade
