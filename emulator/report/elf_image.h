#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim {

/// A 64-bit little-endian ELF file, mapped for reading: as much as naming functions and looking at
/// a program's dependencies takes. Damaged files give empty answers, never a crash.
class ElfImage {
 public:
  /// @returns nothing when the file cannot be read or is no such ELF file
  [[nodiscard]] static std::optional<ElfImage> open(const std::string& path);
  ElfImage(ElfImage&& other) noexcept;
  ElfImage& operator=(ElfImage&&) = delete;
  ~ElfImage();

  struct Symbol {
    std::string_view name;  // mangled; points into the file
    std::uint64_t offset = 0;  // of the address into the function
  };
  /// The function that contains a virtual address of the file, from its full symbol table.
  [[nodiscard]] std::optional<Symbol> function_at(std::uint64_t address) const;

  /// DT_NEEDED entries; they point into the file.
  [[nodiscard]] std::vector<std::string_view> needed() const;
  /// A search path that the loader takes before LD_LIBRARY_PATH.
  [[nodiscard]] bool has_rpath() const;
  /// The bytes of a section; empty when there is none, or when it is compressed.
  [[nodiscard]] std::span<const std::byte> section(std::string_view name) const;
  [[nodiscard]] bool has_section(std::string_view name) const;
  /// Addresses in the file are relative to where it is loaded.
  [[nodiscard]] bool position_independent() const;

 private:
  explicit ElfImage(std::span<const std::byte> bytes) : bytes_(bytes) {}
  [[nodiscard]] const Elf64_Ehdr& header() const;
  /// `count` records at `offset`, or an empty span when they are not all in the file.
  template <class Record>
  [[nodiscard]] std::span<const Record> records(std::uint64_t offset, std::uint64_t count) const;
  [[nodiscard]] std::string_view text_at(std::uint64_t offset) const;
  [[nodiscard]] bool is_text_at(std::uint64_t offset, std::string_view text) const;
  [[nodiscard]] std::span<const Elf64_Shdr> sections() const;
  [[nodiscard]] const Elf64_Shdr* find_section(std::string_view name) const;
  [[nodiscard]] std::vector<Elf64_Dyn> dynamic() const;
  [[nodiscard]] std::optional<std::uint64_t> file_offset(std::uint64_t address) const;

  std::span<const std::byte> bytes_;
};

}  // namespace warpsim
