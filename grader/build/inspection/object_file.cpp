#include "grader/build/inspection/object_file.h"

#include <elf.h>

#include <cstdint>
#include <cstring>

namespace warpgrade {
namespace {

template <class T>
std::optional<T> read(std::string_view bytes, std::uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) {
    return std::nullopt;
  }
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

/// The bytes of a section; nothing if the file ends before it does.
std::optional<std::string_view> content_of(std::string_view bytes, const Elf64_Shdr& section) {
  if (section.sh_type == SHT_NOBITS) {
    return std::string_view();
  }
  if (section.sh_offset > bytes.size() || bytes.size() - section.sh_offset < section.sh_size) {
    return std::nullopt;
  }
  return bytes.substr(section.sh_offset, section.sh_size);
}

/// A name in a string table; nothing if it is not terminated within the table.
std::optional<std::string_view> name_at(std::string_view table, std::size_t at) {
  if (at >= table.size()) {
    return std::nullopt;
  }
  const std::size_t end = table.find('\0', at);
  if (end == table.npos) {
    return std::nullopt;
  }
  return table.substr(at, end - at);
}

bool read_symbols(std::string_view table, std::string_view names, ObjectFile& object) {
  const std::size_t count = table.size() / sizeof(Elf64_Sym);
  if (count > kMostSymbols) {
    return false;
  }
  for (std::size_t i = 1; i < count; ++i) {  // the first is the null symbol
    const auto symbol = read<Elf64_Sym>(table, i * sizeof(Elf64_Sym));
    const unsigned type = ELF64_ST_TYPE(symbol->st_info);
    if (type == STT_SECTION || type == STT_FILE) {
      continue;
    }
    const auto name = name_at(names, symbol->st_name);
    if (!name) {
      return false;
    }
    if (!name->empty()) {
      const unsigned binding = ELF64_ST_BIND(symbol->st_info);
      object.symbols.push_back({.name = *name,
                                .defined = symbol->st_shndx != SHN_UNDEF,
                                .weak = binding == STB_WEAK,
                                .local = binding == STB_LOCAL,
                                .chosen_by_code = type == STT_GNU_IFUNC});
    }
  }
  return true;
}

}  // namespace

std::optional<ObjectFile> read_object(std::string_view bytes) {
  const auto head = read<Elf64_Ehdr>(bytes, 0);
  const bool is_ours = head && std::memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 &&
                       head->e_ident[EI_CLASS] == ELFCLASS64 &&
                       head->e_ident[EI_DATA] == ELFDATA2LSB && head->e_shnum > 0 &&
                       head->e_shentsize == sizeof(Elf64_Shdr);
  if (!is_ours) {
    return std::nullopt;
  }
  std::vector<Elf64_Shdr> headers;
  for (std::size_t i = 0; i < head->e_shnum; ++i) {
    const auto section = read<Elf64_Shdr>(bytes, head->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) {
      return std::nullopt;
    }
    headers.push_back(*section);
  }
  const auto table = [&](std::size_t number) {
    return number < headers.size() ? content_of(bytes, headers[number]) : std::nullopt;
  };
  const auto section_names = table(head->e_shstrndx);
  if (!section_names) {
    return std::nullopt;
  }
  ObjectFile object;
  object.is_arm64 = head->e_machine == EM_AARCH64;
  bool has_symbols = false;
  for (const Elf64_Shdr& header : headers) {
    const auto name = name_at(*section_names, header.sh_name);
    const auto content = content_of(bytes, header);
    if (!name || !content) {
      return std::nullopt;
    }
    object.sections.push_back({.name = *name,
                               .executable = (header.sh_flags & SHF_EXECINSTR) != 0,
                               .writable = (header.sh_flags & SHF_WRITE) != 0,
                               .initializes = header.sh_type == SHT_INIT_ARRAY ||
                                              header.sh_type == SHT_FINI_ARRAY ||
                                              header.sh_type == SHT_PREINIT_ARRAY,
                               .content = *content});
    if (header.sh_type == SHT_SYMTAB) {
      const auto names = table(header.sh_link);
      // With two tables, the linker might read the other one.
      if (has_symbols || !names || !read_symbols(*content, *names, object)) {
        return std::nullopt;
      }
      has_symbols = true;
    }
  }
  return object;
}

bool replace_section(std::string& bytes, std::string_view name, std::string_view content) {
  constexpr std::size_t kAlignment = 16;
  const std::optional<ObjectFile> object = read_object(bytes);
  const auto head = read<Elf64_Ehdr>(bytes, 0);
  if (!object || !head) {
    return false;
  }
  for (std::size_t i = 0; i < object->sections.size(); ++i) {
    const std::uint64_t at = head->e_shoff + i * sizeof(Elf64_Shdr);
    auto section = read<Elf64_Shdr>(bytes, at);
    if (!section || object->sections[i].name != name || section->sh_type != SHT_PROGBITS) continue;
    bytes.resize((bytes.size() + kAlignment - 1) / kAlignment * kAlignment);
    section->sh_offset = bytes.size();
    section->sh_size = content.size();
    std::memcpy(bytes.data() + at, &*section, sizeof *section);
    bytes += content;
    return true;
  }
  return false;
}

}  // namespace warpgrade
