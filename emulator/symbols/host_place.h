#pragma once

#include <cstdint>
#include <string>

namespace warpsim {

/// An address in the code of a program or of one of its libraries, as its file explains it. Empty
/// where the file says nothing about it.
struct HostPlace {
  std::string function;  // mangled
  std::uint64_t offset = 0;  // of the address into the function
  std::string file;  // the source file's name without folders
  std::uint32_t line = 0;
};

/// Looks an address up in an ELF file. elfutils, which reads it, is loaded by the first call with a
/// library of its own (libwarpsim_symbols.so, beside the caller's): most programs are right, and no
/// finding needs a name.
/// @param load_address  where the file is loaded
/// @param address       in memory
[[nodiscard]] HostPlace find_host_place(const std::string& file, std::uint64_t load_address,
                                        std::uint64_t address);

/// What that library exports.
using FindHostPlace = void(const char* file, std::uint64_t load_address, std::uint64_t address,
                           HostPlace* result);
constexpr const char* kFindHostPlace = "warpsim_find_host_place";

}  // namespace warpsim
