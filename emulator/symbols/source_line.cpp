#include "emulator/symbols/source_line.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace warpsim {
namespace {

std::string name_of(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

/// Whether a line is of CUDA's own wrappers, as the template cudaMalloc, and not of the program.
bool is_wrapper(const HostLine& line) {
  return line.file == "cuda_runtime.h" || line.file == "cuda_runtime_api.h";
}

std::optional<HostLine> call_of(Dwarf_Die& inlined, Dwarf_Files* files) {
  Dwarf_Attribute attribute = {};
  Dwarf_Word file = 0;
  Dwarf_Word line = 0;
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_file, &attribute), &file) != 0 ||
      dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_line, &attribute), &line) != 0) {
    return std::nullopt;
  }
  const char* path = dwarf_filesrc(files, file, nullptr, nullptr);
  if (path == nullptr || line == 0) return std::nullopt;
  return HostLine{.file = name_of(path), .line = static_cast<std::uint32_t>(line)};
}

/// Of a wrapper that the compiler inlined, the line that calls it; else the line itself.
HostLine line_of_caller(HostLine line, Dwarf* dwarf, std::uint64_t address) {
  if (!is_wrapper(line)) return line;
  Dwarf_Die die = {};
  Dwarf_CU* unit = nullptr;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes(&die, address, &scopes);
    const std::unique_ptr<Dwarf_Die, void (*)(void*)> owner(scopes, std::free);
    Dwarf_Files* files = nullptr;
    std::size_t file_count = 0;
    if (count <= 0 || dwarf_getsrcfiles(&die, &files, &file_count) != 0) continue;
    for (Dwarf_Die& scope : std::span(scopes, static_cast<std::size_t>(count))) {
      if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine) continue;
      const std::optional<HostLine> call = call_of(scope, files);
      if (call && !is_wrapper(*call)) return *call;
    }
  }
  return line;
}

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
    return HostLine{.file = name_of(path), .line = static_cast<std::uint32_t>(line)};
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
    if (auto found = find_in(lines, line_count, address)) {
      return line_of_caller(std::move(*found), dwarf.get(), address);
    }
  }
  return std::nullopt;
}

}  // namespace warpsim
