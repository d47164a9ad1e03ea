#pragma once

#include <cstdint>
#include <string>

namespace warpsim {

/// The function and line of an address in a program or one of its libraries, from its file. Empty
/// if unknown.
struct HostPlace {
  std::string function;  // mangled
  std::uint64_t offset = 0;  // of the address into the function
  std::string file;  // the source file's name without folders
  std::uint32_t line = 0;
};

/// Looks an address up in an ELF file. elfutils, which reads it, is loaded by the first call, in a
/// separate library (libwarpsim_symbols.so, beside the caller's), because most programs have no
/// findings that need a name.
/// @param load_address  where the file is loaded
/// @param address       in memory
[[nodiscard]] HostPlace find_host_place(const std::string& file, std::uint64_t load_address,
                                        std::uint64_t address);

/// The function exported by that library.
using FindHostPlace = void(const char* file, std::uint64_t load_address, std::uint64_t address,
                           HostPlace* result);
constexpr const char* kFindHostPlace = "warpsim_find_host_place";

}  // namespace warpsim
