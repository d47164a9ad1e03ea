#include "emulator/symbols/elf_file.h"

#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warpsim {
namespace {

/// Calls `use(section, header)` for each section until it returns true.
template <class Use>
void for_sections(Elf* elf, Use use) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != nullptr && use(section, header)) return;
  }
}

/// Calls `use(entry, number of the section with its strings)` for each dynamic entry.
template <class Use>
void for_dynamic(Elf* elf, Use use) {
  for_sections(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type != SHT_DYNAMIC) return false;
    Elf_Data* data = elf_getdata(section, nullptr);
    GElf_Dyn entry;
    for (int i = 0; gelf_getdyn(data, i, &entry) != nullptr && entry.d_tag != DT_NULL; ++i) {
      use(entry, header.sh_link);
    }
    return true;
  });
}

std::string text(const char* string) {
  return string == nullptr ? std::string() : string;
}

}  // namespace

std::optional<ElfFile> ElfFile::open(const std::string& path) {
  if (elf_version(EV_CURRENT) == EV_NONE) return std::nullopt;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  struct stat info = {};
  const bool regular = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  ElfFile result(regular ? elf_begin(file, ELF_C_READ_MMAP, nullptr) : nullptr);
  // Reads the parts that are not mapped.
  const bool whole = result.elf_ != nullptr && elf_cntl(result.elf_.get(), ELF_C_FDREAD) == 0;
  ::close(file);
  GElf_Ehdr header;
  if (!whole || elf_kind(result.handle()) != ELF_K_ELF ||
      gelf_getehdr(result.handle(), &header) == nullptr) {
    return std::nullopt;
  }
  return result;
}

std::optional<ElfFile::Symbol> ElfFile::function_at(std::uint64_t address) const {
  std::optional<Symbol> found;
  for_sections(handle(), [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type != SHT_SYMTAB) return false;
    Elf_Data* data = elf_getdata(section, nullptr);
    GElf_Sym symbol;
    for (int i = 0; gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
      if (address - symbol.st_value >= symbol.st_size) continue;
      found = Symbol{.name = text(elf_strptr(handle(), header.sh_link, symbol.st_name)),
                     .offset = address - symbol.st_value};
      return true;
    }
    return false;
  });
  return found;
}

std::vector<std::string> ElfFile::needed() const {
  std::vector<std::string> result;
  for_dynamic(handle(), [&](const GElf_Dyn& entry, std::size_t strings) {
    if (entry.d_tag == DT_NEEDED) {
      result.push_back(text(elf_strptr(handle(), strings, entry.d_un.d_val)));
    }
  });
  return result;
}

bool ElfFile::has_rpath() const {
  bool rpath = false;
  bool runpath = false;
  for_dynamic(handle(), [&](const GElf_Dyn& entry, std::size_t) {
    rpath = rpath || entry.d_tag == DT_RPATH;
    runpath = runpath || entry.d_tag == DT_RUNPATH;
  });
  return rpath && !runpath;  // DT_RUNPATH switches DT_RPATH off
}

bool ElfFile::has_section(std::string_view name) const {
  std::size_t names = 0;
  bool found = false;
  if (elf_getshdrstrndx(handle(), &names) != 0) return false;
  for_sections(handle(), [&](Elf_Scn*, const GElf_Shdr& header) {
    found = text(elf_strptr(handle(), names, header.sh_name)) == name;
    return found;
  });
  return found;
}

bool ElfFile::position_independent() const {
  GElf_Ehdr header;
  return gelf_getehdr(handle(), &header) != nullptr && header.e_type == ET_DYN;
}

}  // namespace warpsim
