#include "grader/integrity/object_scan.h"

#include <elf.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "grader/core/text.h"
#include "grader/integrity/symbol_policy.h"
#include "grader/submission/comments.h"

namespace warpgrade {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// "vecadd.cu:12", the first place where the word stands; empty if it stands nowhere.
std::string place_of(std::string_view word, const std::vector<SourceFile>& files) {
  for (const SourceFile& file : files) {
    const std::string text = without_comments(file.text);
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const bool starts = at == 0 || !is_word(text[at - 1]);
      const bool ends = at + word.size() >= text.size() || !is_word(text[at + word.size()]);
      if (starts && ends) {
        const auto line =
            1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        return fmt::format("{}:{}", file.name, line);
      }
    }
  }
  return {};
}

/// What a person would call it: std::ofstream for its mangled functions.
std::string spoken(std::string_view symbol) {
  struct Class {
    std::string_view mangled;
    std::string_view name;
  };
  static constexpr Class kClasses[] = {
      {"13basic_filebuf", "std::filebuf"},   {"14basic_ofstream", "std::ofstream"},
      {"14basic_ifstream", "std::ifstream"}, {"13basic_fstream", "std::fstream"},
      {"10filesystem", "std::filesystem"},   {"6thread", "std::thread"}};
  for (const Class& c : kClasses) {
    if (symbol.starts_with("_Z") && symbol.find(c.mangled) != symbol.npos) {
      return std::string(c.name);
    }
  }
  return printable(std::string(symbol.substr(0, symbol.find('@'))));
}

std::string located(const std::string& name, const std::vector<SourceFile>& files) {
  std::string place = place_of(name, files);
  if (place.empty() && name.starts_with("std::")) {
    place = place_of(std::string_view(name).substr(5), files);
  }
  return place.empty() ? fmt::format("`{}`", name) : fmt::format("`{}` at {}", name, place);
}

/// A bounds-checked view of a 64-bit ELF object that hostile code may have shaped.
class Elf {
 public:
  explicit Elf(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] std::optional<Elf64_Ehdr> header() const {
    const auto head = read<Elf64_Ehdr>(0);
    const bool is_ours = head && std::memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 &&
                         head->e_ident[EI_CLASS] == ELFCLASS64 &&
                         head->e_shentsize == sizeof(Elf64_Shdr);
    return is_ours ? head : std::nullopt;
  }
  [[nodiscard]] std::optional<Elf64_Shdr> section(const Elf64_Ehdr& head, std::size_t i) const {
    return read<Elf64_Shdr>(head.e_shoff + i * sizeof(Elf64_Shdr));
  }
  [[nodiscard]] std::string_view content(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || section.sh_offset > bytes_.size()) {
      return {};
    }
    return bytes_.substr(section.sh_offset, section.sh_size);
  }

 private:
  template <class T>
  [[nodiscard]] std::optional<T> read(std::uint64_t at) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof(T)) {
      return std::nullopt;
    }
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }

  std::string_view bytes_;
};

/// Sections that the linker makes for the loader; none comes out of a compiler.
bool steers_loader(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      ".interp",        ".dynamic",  ".dynsym",      ".dynstr", ".gnu.hash", ".hash",
      ".preinit_array", ".rela.dyn", ".gnu.version", ".plt",    ".got",      ".rela.plt"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view n) { return name.starts_with(n); });
}

bool has_kernel_call(std::string_view code) {
  using namespace std::string_view_literals;
  for (const std::string_view bytes : {"\x0f\x05"sv, "\x0f\x34"sv, "\xcd\x80"sv}) {
    if (code.find(bytes) != code.npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

ObjectScan scan_symbols(std::string_view symbols, const std::vector<SourceFile>& files) {
  ObjectScan scan;
  std::set<std::string> seen;
  for (const std::string_view line : split_lines(symbols)) {
    const std::size_t space = line.find(' ');
    if (space == line.npos || space + 1 >= line.size()) {
      continue;
    }
    const std::string_view symbol = line.substr(0, space);
    const char type = line[space + 1];
    const bool needed = type == 'U' || type == 'w' || type == 'v';
    const SymbolRule* rule = needed ? rule_of_needed(symbol) : rule_of_defined(symbol);
    // Templates test for threads with a weak reference that says nothing.
    if (rule == nullptr || (type != 'U' && needed && !rule->refused)) {
      continue;
    }
    const std::string name = spoken(symbol);
    if (!seen.insert(name + std::string(rule->kind)).second) {
      continue;
    }
    const std::string where = located(name, files);
    if (rule->refused && scan.refusal.empty()) {
      scan.refusal = fmt::format("{}: {}; take it out", where, rule->reason);
    }
    scan.flags.push_back(
        {.kind = std::string(rule->kind),
         .message = fmt::format("It {} {}: {}.", needed ? "uses" : "defines", where, rule->reason),
         .evidence = fmt::format("symbol {} of its object file", printable(std::string(symbol)))});
  }
  return scan;
}

SectionScan scan_sections(std::string_view object) {
  SectionScan scan;
  const Elf elf(object);
  const auto head = elf.header();
  const auto names = head ? elf.section(*head, head->e_shstrndx) : std::nullopt;
  if (!names || head->e_shnum == 0) {
    scan.refusal = "the object file is not one that a compiler makes";
    return scan;
  }
  const std::string_view all_names = elf.content(*names);
  for (std::size_t i = 0; i < head->e_shnum; ++i) {
    const auto section = elf.section(*head, i);
    if (!section) {
      scan.refusal = "the object file is cut short";
      return scan;
    }
    const std::string_view from =
        section->sh_name < all_names.size() ? all_names.substr(section->sh_name) : "";
    const std::string_view name = from.substr(0, from.find('\0'));
    const bool executable = (section->sh_flags & SHF_EXECINSTR) != 0;
    if (steers_loader(name)) {
      scan.refusal = fmt::format("a section {} is the linker's to make; take it out",
                                 printable(std::string(name)));
    } else if (executable && (section->sh_flags & SHF_WRITE) != 0) {
      scan.refusal = fmt::format("section {} is code that can be overwritten; take it out",
                                 printable(std::string(name)));
    }
    scan.may_call_kernel =
        scan.may_call_kernel || (executable && has_kernel_call(elf.content(*section)));
  }
  return scan;
}

bool calls_kernel(std::string_view disassembly) {
  for (const std::string_view line : split_lines(disassembly)) {
    const std::size_t tab = line.find('\t');
    if (tab == line.npos) {
      continue;
    }
    const std::string_view instruction = line.substr(tab + 1);
    if (instruction.starts_with("syscall") || instruction.starts_with("sysenter") ||
        instruction.starts_with("int    $0x80")) {
      return true;
    }
  }
  return false;
}

std::vector<IntegrityFlag> scan_sources(const std::vector<SourceFile>& files,
                                        const std::vector<std::string>& allowed_libraries) {
  struct Sign {
    std::string_view text;
    std::string_view library;  // that a lab may allow; empty: never
    std::string_view kind;
    std::string_view message;
  };
  static constexpr std::string_view kLibrary =
      "It includes a library that may do the exercise's work";
  static constexpr Sign kSigns[] = {
      {"cub/", "cub", "library", kLibrary},      {"thrust/", "thrust", "library", kLibrary},
      {"cublas", "cublas", "library", kLibrary}, {"cudnn", "cudnn", "library", kLibrary},
      {"cufft", "cufft", "library", kLibrary},   {"cusparse", "cusparse", "library", kLibrary},
      {"npp", "npp", "library", kLibrary},       {"cutlass", "cutlass", "library", kLibrary},
  };
  static constexpr Sign kWords[] = {
      {"incbin", "", "assembler-file", "It lets the assembler read a file"},
      {"constructor", "", "runs-before-main", "It has code that runs before main"},
      {"init_priority", "", "runs-before-main", "It has code that runs before main"},
      {"/proc/", "", "looks-around", "It names a path of the system"},
      {"/etc/", "", "looks-around", "It names a path of the system"},
      {"WARPSIM_", "", "looks-around", "It names a setting of the emulator"},
  };
  std::vector<IntegrityFlag> flags;
  for (const SourceFile& file : files) {
    std::size_t number = 0;
    for (const std::string_view line : split_lines(without_comments(file.text))) {
      ++number;
      const auto flag = [&](const Sign& sign) {
        flags.push_back({.kind = std::string(sign.kind),
                         .message = fmt::format("{}: {}:{}.", sign.message, file.name, number),
                         .evidence = printable(std::string(line.substr(0, 200)))});
      };
      if (line.find("include") != line.npos) {
        for (const Sign& sign : kSigns) {
          const bool allowed = std::find(allowed_libraries.begin(), allowed_libraries.end(),
                                         sign.library) != allowed_libraries.end();
          if (!allowed && line.find(sign.text) != line.npos) {
            flag(sign);
          }
        }
      }
      for (const Sign& sign : kWords) {
        if (line.find(sign.text) != line.npos) {
          flag(sign);
        }
      }
    }
  }
  constexpr std::size_t kMost = 20;  // more tell a person nothing new
  flags.resize(std::min(flags.size(), kMost));
  return flags;
}

}  // namespace warpgrade
