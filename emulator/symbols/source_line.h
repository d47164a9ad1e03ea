#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "emulator/symbols/elf_file.h"

namespace warpsim {

/// A line of host code; the line is 0 if unknown.
struct HostLine {
  std::string file;  // its name without folders
  std::uint32_t line = 0;
};

/// The source line that an address was compiled from, by the program's own line table (DWARF 2 to
/// 5, as `-g1` or `-Xcompiler -g1` leaves it), as libdw reads it. Nothing when the program has none
/// or it is damaged. Of a wrapper in CUDA's headers that was inlined, it is the line that calls it.
/// @param address  as in the file: relative to the load address for position-independent ones
[[nodiscard]] std::optional<HostLine> find_source_line(const ElfFile& file, std::uint64_t address);

}  // namespace warpsim
