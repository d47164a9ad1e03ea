#include "emulator/symbols/host_place.h"
#include "emulator/symbols/source_line.h"

// libwarpsim_symbols.so.

extern "C" [[gnu::visibility("default")]] void warpsim_find_host_place(const char* file,
                                                                       std::uint64_t load_address,
                                                                       std::uint64_t address,
                                                                       warpsim::HostPlace* result) {
  const auto elf = warpsim::ElfFile::open(file);
  if (!elf) return;
  const std::uint64_t in_file = address - (elf->position_independent() ? load_address : 0);
  if (auto source = warpsim::find_source_line(*elf, in_file)) {
    result->file = std::move(source->file);
    result->line = source->line;
  }
  if (auto symbol = elf->function_at(in_file)) {
    result->function = std::move(symbol->name);
    result->offset = symbol->offset;
  }
}

static_assert(std::is_same_v<decltype(warpsim_find_host_place), warpsim::FindHostPlace>);
