#include "emulator/report/elf_image.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpsim {

std::optional<ElfImage> ElfImage::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  struct stat info = {};
  void* data = MAP_FAILED;
  if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
      info.st_size >= static_cast<off_t>(sizeof(Elf64_Ehdr))) {
    data = ::mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  }
  ::close(file);
  if (data == MAP_FAILED) return std::nullopt;
  ElfImage image({static_cast<const std::byte*>(data), static_cast<std::size_t>(info.st_size)});
  const unsigned char* ident = image.header().e_ident;
  const bool fits = std::memcmp(ident, ELFMAG, SELFMAG) == 0 && ident[EI_CLASS] == ELFCLASS64 &&
                    ident[EI_DATA] == ELFDATA2LSB;
  if (!fits) return std::nullopt;
  return image;
}

ElfImage::ElfImage(ElfImage&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

ElfImage::~ElfImage() {
  if (bytes_.empty()) return;
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

const Elf64_Ehdr& ElfImage::header() const {
  return *reinterpret_cast<const Elf64_Ehdr*>(bytes_.data());
}

template <class Record>
std::span<const Record> ElfImage::records(std::uint64_t offset, std::uint64_t count) const {
  if (offset > bytes_.size() || offset % alignof(Record) != 0) return {};
  if (count > (bytes_.size() - offset) / sizeof(Record)) return {};
  return {reinterpret_cast<const Record*>(bytes_.data() + offset), count};
}

std::string_view ElfImage::text_at(std::uint64_t offset) const {
  if (offset >= bytes_.size()) return {};
  const auto* start = reinterpret_cast<const char*>(bytes_.data() + offset);
  return {start, ::strnlen(start, bytes_.size() - offset)};
}

/// Does not look for the end of the file's text: a damaged file may have thousands of names in a
/// megabyte without one.
bool ElfImage::is_text_at(std::uint64_t offset, std::string_view text) const {
  if (offset >= bytes_.size() || text.size() >= bytes_.size() - offset) return false;
  const auto* start = reinterpret_cast<const char*>(bytes_.data() + offset);
  return std::string_view(start, text.size()) == text && start[text.size()] == '\0';
}

std::span<const Elf64_Shdr> ElfImage::sections() const {
  if (header().e_shentsize != sizeof(Elf64_Shdr)) return {};
  return records<Elf64_Shdr>(header().e_shoff, header().e_shnum);
}

std::optional<ElfImage::Symbol> ElfImage::function_at(std::uint64_t address) const {
  const auto all = sections();
  for (const Elf64_Shdr& section : all) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= all.size()) continue;
    const Elf64_Shdr& names = all[section.sh_link];
    for (const Elf64_Sym& symbol :
         records<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym))) {
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
      if (address - symbol.st_value >= symbol.st_size) continue;
      return Symbol{text_at(names.sh_offset + symbol.st_name), address - symbol.st_value};
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> ElfImage::file_offset(std::uint64_t address) const {
  for (const Elf64_Phdr& part : records<Elf64_Phdr>(header().e_phoff, header().e_phnum)) {
    if (part.p_type == PT_LOAD && address - part.p_vaddr < part.p_filesz) {
      return part.p_offset + (address - part.p_vaddr);
    }
  }
  return std::nullopt;
}

std::vector<Elf64_Dyn> ElfImage::dynamic() const {
  for (const Elf64_Phdr& part : records<Elf64_Phdr>(header().e_phoff, header().e_phnum)) {
    if (part.p_type != PT_DYNAMIC) continue;
    const auto entries = records<Elf64_Dyn>(part.p_offset, part.p_filesz / sizeof(Elf64_Dyn));
    const auto end = std::ranges::find(entries, DT_NULL, &Elf64_Dyn::d_tag);
    return {entries.begin(), end};
  }
  return {};
}

std::vector<std::string_view> ElfImage::needed() const {
  const auto entries = dynamic();
  const auto strings = std::ranges::find(entries, DT_STRTAB, &Elf64_Dyn::d_tag);
  if (strings == entries.end()) return {};
  const auto names = file_offset(strings->d_un.d_ptr);
  if (!names) return {};
  std::vector<std::string_view> result;
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_NEEDED) result.push_back(text_at(*names + entry.d_un.d_val));
  }
  return result;
}

bool ElfImage::has_rpath() const {
  const auto entries = dynamic();
  const auto has = [&](Elf64_Sxword tag) {
    return std::ranges::find(entries, tag, &Elf64_Dyn::d_tag) != entries.end();
  };
  return has(DT_RPATH) && !has(DT_RUNPATH);  // DT_RUNPATH switches DT_RPATH off
}

const Elf64_Shdr* ElfImage::find_section(std::string_view name) const {
  const auto all = sections();
  if (header().e_shstrndx >= all.size()) return nullptr;
  const std::uint64_t names = all[header().e_shstrndx].sh_offset;
  const auto found = std::ranges::find_if(
      all, [&](const Elf64_Shdr& section) { return is_text_at(names + section.sh_name, name); });
  return found == all.end() ? nullptr : &*found;
}

std::span<const std::byte> ElfImage::section(std::string_view name) const {
  const Elf64_Shdr* found = find_section(name);
  if (found == nullptr || found->sh_type == SHT_NOBITS) return {};
  if ((found->sh_flags & SHF_COMPRESSED) != 0) return {};
  return records<std::byte>(found->sh_offset, found->sh_size);
}

bool ElfImage::has_section(std::string_view name) const {
  return find_section(name) != nullptr;
}

bool ElfImage::position_independent() const {
  return header().e_type == ET_DYN;
}

}  // namespace warpsim
