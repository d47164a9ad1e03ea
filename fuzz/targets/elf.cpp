#include <cstring>

#include "emulator/report/elf_image.h"
#include "emulator/report/line_table.h"
#include "fuzz/input.h"

// A program's file: its dependencies, symbols and line table. The first eight bytes of the input
// are the address that is looked up.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::uint64_t address = 0;
  if (size < sizeof address) return 0;
  std::memcpy(&address, data, sizeof address);
  const fuzz::MemoryFile file(data + sizeof address, size - sizeof address);
  const auto image = warpsim::ElfImage::open(file.path());
  if (!image) return 0;
  (void)image->needed();
  (void)image->has_rpath();
  (void)image->has_section(".nv_fatbin");
  (void)image->function_at(address);
  (void)warpsim::find_source_line(*image, address);
  return 0;
}
