#include "emulator/fatbin/fatbin.h"

#include <algorithm>

#include "fuzz/input.h"

// The container with device code, and what is compressed in it.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsim::fatbin;
  const auto bytes = fuzz::bytes_of(data, size);
  for (const std::uint32_t target : {75u, 90u}) {
    const Images images = read_fatbin(bytes, target);
    for (const Image& image : images.images) {
      fuzz::require(image.ptx.size() <= std::max<std::uint64_t>(kMaxPtxBytes, size));
    }
  }
  return 0;
}
