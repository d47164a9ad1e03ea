#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// A section's name, flags and content.
struct ObjectSection {
  std::string_view name;
  bool executable = false;
  bool writable = false;
  bool initializes = false;  // by its type, a table of functions that run before or after main
  std::string_view content = {};  // empty for a section without data in the file
};

/// A symbol as the linker sees it, whatever the spelling in the source.
struct ObjectSymbol {
  std::string_view name;  // mangled; never empty
  bool defined = false;  // otherwise undefined
  bool weak = false;
  bool local = false;  // to its object
  bool chosen_by_code = false;  // an IFUNC: chosen by a function that runs during loading
};

/// An ELF object file (64-bit, little endian) that may be hostile. All views point into the bytes
/// that it was read from. Because it is read outside the sandbox, this is a small reader that
/// rejects everything unknown; inside the sandbox elfutils reads programs (emulator/symbols).
struct ObjectFile {
  bool is_arm64 = false;  // otherwise x86-64
  std::vector<ObjectSection> sections;
  std::vector<ObjectSymbol> symbols;  // without those of sections and files
};

inline constexpr std::size_t kMostSymbols = std::size_t{1} << 20;

/// @return nothing for a file that neither a compiler nor `ld -r` writes: not an ELF object,
///         truncated, with several symbol tables, or with more than kMostSymbols symbols
[[nodiscard]] std::optional<ObjectFile> read_object(std::string_view bytes);

/// Gives a section other contents, which are added at the end of the file.
/// @return false if there is no such section, or no object
[[nodiscard]] bool replace_section(std::string& bytes, std::string_view name,
                                   std::string_view content);

}  // namespace warpgrade
