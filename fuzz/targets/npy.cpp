#include "harness/data/npy.h"

#include <stdexcept>

#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::MemoryFile file(data, size);
  try {
    const warpgrade::Array array = warpgrade::read_npy(file.path());
    fuzz::require(array.bytes.size() <= size);
  } catch (const std::runtime_error&) {
  }
  return 0;
}
