#include <cstring>

#include "emulator/symbols/source_line.h"
#include "fuzz/input.h"

// A program's file: its dependencies, symbols and line table. The first eight bytes of the input
// are the address that is looked up.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::uint64_t address = 0;
  if (size < sizeof address) return 0;
  std::memcpy(&address, data, sizeof address);
  const fuzz::MemoryFile file(data + sizeof address, size - sizeof address);
  const auto elf = warpsim::ElfFile::open(file.path());
  if (!elf) return 0;
  (void)elf->needed();
  (void)elf->has_rpath();
  (void)elf->has_section(".nv_fatbin");
  (void)elf->function_at(address);
  (void)warpsim::find_source_line(*elf, address);
  return 0;
}
