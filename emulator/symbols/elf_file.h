#pragma once

#include <libelf.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim {

/// An ELF file, read by libelf: function names and a program's dependencies. Damaged files give
/// empty results.
class ElfFile {
 public:
  /// @returns nothing when the file cannot be read or is not an ELF file
  [[nodiscard]] static std::optional<ElfFile> open(const std::string& path);

  struct Symbol {
    std::string name;  // mangled
    std::uint64_t offset = 0;  // of the address into the function
  };
  /// The function that contains a virtual address of the file, from its full symbol table.
  [[nodiscard]] std::optional<Symbol> function_at(std::uint64_t address) const;

  /// DT_NEEDED entries.
  [[nodiscard]] std::vector<std::string> needed() const;
  /// Whether it has a search path with precedence over LD_LIBRARY_PATH.
  [[nodiscard]] bool has_rpath() const;
  [[nodiscard]] bool has_section(std::string_view name) const;
  /// Whether addresses in the file are relative to its load address.
  [[nodiscard]] bool position_independent() const;

  /// For libdw.
  [[nodiscard]] Elf* handle() const { return elf_.get(); }

 private:
  explicit ElfFile(Elf* elf) : elf_(elf) {}

  struct End {
    void operator()(Elf* elf) const { elf_end(elf); }
  };
  std::unique_ptr<Elf, End> elf_;
};

}  // namespace warpsim
