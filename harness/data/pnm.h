#pragma once

#include <string_view>

#include "harness/data/array.h"

namespace warpgrade {

/// An image in one of Netpbm's formats: PGM (P2, P5) or PPM (P3, P6), as text or binary.
struct Image {
  Array pixels;  // u8, or u16 if `largest` is above 255; [height, width], PPM: [height, width, 3]
  unsigned largest = 255;  // the value of white
};

/// @param bytes  the contents of a file
/// @throws std::runtime_error  says what is wrong, without a file's name
/// @source netpbm.sourceforge.net/doc/pgm.html, .../ppm.html
[[nodiscard]] Image read_pnm(std::string_view bytes);

}  // namespace warpgrade
