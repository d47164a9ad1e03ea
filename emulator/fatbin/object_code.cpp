#include "emulator/fatbin/object_code.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "emulator/fatbin/container.h"

namespace warpsim::fatbin {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view kArchiveMagic = "!<arch>\n";

/// The header of an archive's member: text in fields of fixed width.
struct MemberHeader {
  char name[16];
  char time_and_owner[24];
  char mode[8];
  char size[10];
  char end[2];
};
static_assert(sizeof(MemberHeader) == 60);

bool starts_with(Bytes bytes, std::string_view text) {
  return bytes.size() >= text.size() && std::memcmp(bytes.data(), text.data(), text.size()) == 0;
}

template <class T>
T read(Bytes bytes, std::uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::string_view text_at(Bytes bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return {};
  const auto* start = reinterpret_cast<const char*>(bytes.data() + offset);
  return {start, ::strnlen(start, bytes.size() - offset)};
}

/// The bytes of a section; empty if they are not in the file.
Bytes contents(Bytes object, const Elf64_Shdr& section) {
  if (section.sh_type == SHT_NOBITS || section.sh_offset > object.size() ||
      section.sh_size > object.size() - section.sh_offset) {
    return {};
  }
  return object.subspan(section.sh_offset, section.sh_size);
}

void add_containers(Bytes section, const std::string& member, ObjectCode& code) {
  while (const auto size = container_size(section)) {
    const std::uint64_t bytes = std::min<std::uint64_t>(*size, section.size());
    code.containers.push_back({.bytes = section.first(bytes), .member = member});
    section = section.subspan(std::min<std::uint64_t>((bytes + 7) / 8 * 8, section.size()));
  }
}

/// @returns a problem, or nothing
std::string add_object(Bytes object, const std::string& member, ObjectCode& code) {
  if (object.size() < sizeof(Elf64_Ehdr)) return "it is truncated";
  const auto header = read<Elf64_Ehdr>(object, 0);
  const std::uint64_t table = std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr) ||
      header.e_shstrndx >= header.e_shnum || header.e_shoff > object.size() ||
      table > object.size() - header.e_shoff) {
    return "its table of sections is damaged";
  }
  const auto section = [&](std::uint64_t i) {
    return read<Elf64_Shdr>(object, header.e_shoff + i * sizeof(Elf64_Shdr));
  };
  const Bytes names = contents(object, section(header.e_shstrndx));
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr one = section(i);
    const std::string_view name = text_at(names, one.sh_name);
    // Of whole programs, and of units for a device linker.
    if (name == ".nv_fatbin" || name == "__nv_relfatbin") {
      add_containers(contents(object, one), member, code);
    }
  }
  return {};
}

std::string_view field(const char* start, std::size_t width) {
  std::string_view text(start, width);
  while (!text.empty() && (text.back() == ' ' || text.back() == '/')) text.remove_suffix(1);
  return text;
}

/// @returns a problem, or nothing
std::string add_archive(Bytes archive, ObjectCode& code) {
  Bytes rest = archive.subspan(kArchiveMagic.size());
  Bytes long_names;
  while (rest.size() >= sizeof(MemberHeader)) {
    const auto header = read<MemberHeader>(rest, 0);
    rest = rest.subspan(sizeof(MemberHeader));
    const std::string_view digits = field(header.size, sizeof header.size);
    std::uint64_t size = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (failure != std::errc{} || end != digits.data() + digits.size() || size > rest.size()) {
      return "the header of a member is damaged";
    }
    const Bytes member = rest.first(size);
    rest = rest.subspan(std::min<std::uint64_t>(size + size % 2, rest.size()));
    std::string_view name = field(header.name, sizeof header.name);
    if (starts_with(std::as_bytes(std::span(header.name)), "//")) {
      long_names = member;
      continue;
    }
    if (name.size() > 1 && name.front() == '/') {  // its offset in the member "//"
      std::uint64_t offset = 0;
      std::from_chars(name.data() + 1, name.data() + name.size(), offset);
      name = text_at(long_names, offset);
      name = name.substr(0, name.find_first_of("/\n"));
    }
    if (!is_object(member)) continue;  // the index of symbols
    if (std::string problem = add_object(member, std::string(name), code); !problem.empty()) {
      return fmt::format("member {}: {}", name, problem);
    }
  }
  return {};
}

}  // namespace

bool is_object(Bytes file) {
  return starts_with(file, ELFMAG);
}

ObjectCode read_object_code(Bytes file) {
  ObjectCode code;
  if (starts_with(file, kArchiveMagic)) {
    code.problem = add_archive(file, code);
  } else if (is_object(file)) {
    code.problem = add_object(file, {}, code);
  } else {
    code.problem = "it is neither an object nor an archive of objects";
  }
  return code;
}

}  // namespace warpsim::fatbin
