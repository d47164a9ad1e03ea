#include "harness/data/dataset.h"

#include "fuzz/input.h"
#include "harness/lab/lab.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::MemoryFile file(data, size);
  try {
    (void)warpgrade::load_datasets(file.path(), "/proc");
  } catch (const warpgrade::LabError&) {
  }
  return 0;
}
