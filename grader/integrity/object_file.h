#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace warpgrade {

/// A section's name, what it may do and what it holds.
struct ObjectSection {
  std::string_view name;
  bool executable = false;
  bool writable = false;
  bool initializes = false;  // by its type a table of functions that run before or after main
  std::string_view content = {};  // empty for one that the file does not store
};

/// A name as the linker sees it, in whatever way the source spelled it.
struct ObjectSymbol {
  std::string_view name;  // mangled; never empty
  bool defined = false;  // else needed from elsewhere
  bool weak = false;
  bool local = false;  // to its object
  bool chosen_by_code = false;  // by a function that runs while the program is loaded
};

/// An ELF object file (64-bit, little endian) that hostile code may have shaped. All views are into
/// the bytes that it was read from. It is read outside of the sandbox, and so by a small reader
/// that refuses what it does not know; elfutils reads programs inside of it (emulator/symbols).
struct ObjectFile {
  bool is_arm64 = false;  // else x86-64
  std::vector<ObjectSection> sections;
  std::vector<ObjectSymbol> symbols;  // without those of sections and files
};

inline constexpr std::size_t kMostSymbols = std::size_t{1} << 20;

/// @return nothing for what a compiler and `ld -r` do not make: no ELF object, one that is cut
///         short, has several symbol tables, or more than kMostSymbols symbols
[[nodiscard]] std::optional<ObjectFile> read_object(std::string_view bytes);

}  // namespace warpgrade
