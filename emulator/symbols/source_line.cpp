#include "emulator/symbols/source_line.h"

#include <elfutils/libdw.h>

#include <memory>
#include <string_view>

namespace warpsim {
namespace {

/// The row of one line table that covers an address; libdw sorts them by address.
std::optional<HostLine> find_in(Dwarf_Lines* lines, std::size_t count, std::uint64_t wanted) {
  for (std::size_t i = 0; i + 1 < count; ++i) {
    Dwarf_Line* row = dwarf_onesrcline(lines, i);
    Dwarf_Line* next = dwarf_onesrcline(lines, i + 1);
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    bool is_end = false;
    int line = 0;
    if (dwarf_lineaddr(row, &begin) != 0 || dwarf_lineaddr(next, &end) != 0) continue;
    if (wanted < begin || wanted >= end) continue;
    if (dwarf_lineendsequence(row, &is_end) != 0 || is_end) continue;
    const char* path = dwarf_linesrc(row, nullptr, nullptr);
    if (path == nullptr || dwarf_lineno(row, &line) != 0 || line <= 0) continue;
    const std::string_view file = path;
    return HostLine{.file = std::string(file.substr(file.rfind('/') + 1)),
                    .line = static_cast<std::uint32_t>(line)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<HostLine> find_source_line(const ElfFile& file, std::uint64_t address) {
  const std::unique_ptr<Dwarf, int (*)(Dwarf*)> dwarf(
      dwarf_begin_elf(file.handle(), DWARF_C_READ, nullptr), dwarf_end);
  Dwarf_Off next = 0;
  Dwarf_CU* unit = nullptr;
  Dwarf_Files* files = nullptr;
  Dwarf_Lines* lines = nullptr;
  std::size_t file_count = 0;
  std::size_t line_count = 0;
  for (Dwarf_Off at = 0; dwarf_next_lines(dwarf.get(), at, &next, &unit, &files, &file_count,
                                          &lines, &line_count) == 0;
       at = next) {
    if (auto found = find_in(lines, line_count, address)) return found;
  }
  return std::nullopt;
}

}  // namespace warpsim
