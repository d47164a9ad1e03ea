#include "harness/data/pnm.h"

#include <stdexcept>
#include <string_view>

#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const warpgrade::Image image = warpgrade::read_pnm({reinterpret_cast<const char*>(data), size});
    // A pixel takes at least a byte of the file, or as text a digit and a space, and two in memory.
    fuzz::require(image.pixels.bytes.size() <= 2 * size);
  } catch (const std::runtime_error&) {
  }
  return 0;
}
