#include "grader/build/inspection/object_scan.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <set>
#include <utility>

#include "grader/build/inspection/symbol_policy.h"
#include "grader/core/comments.h"
#include "grader/core/text.h"
#include "harness/core/identifier.h"

namespace warpgrade {
namespace {

/// "vecadd.cu:12", where the word first occurs; empty if it does not occur.
std::string place_of(std::string_view word, const std::vector<SourceFile>& files) {
  for (const SourceFile& file : files) {
    const std::string text = without_comments(file.text);
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const bool starts = at == 0 || !is_in_name(text[at - 1]);
      const bool ends = at + word.size() >= text.size() || !is_in_name(text[at + word.size()]);
      if (starts && ends) {
        const auto line =
            1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        return fmt::format("{}:{}", file.name, line);
      }
    }
  }
  return {};
}

/// The readable name: std::ofstream for its mangled functions.
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

/// Where a name first occurs in the sources, std::ofstream also without its namespace.
std::string place_of_name(const std::string& name, const std::vector<SourceFile>& files) {
  std::string place = place_of(name, files);
  if (place.empty() && name.starts_with("std::")) {
    place = place_of(std::string_view(name).substr(5), files);
  }
  return place;
}

/// Sections that the linker creates for the loader; a compiler never does.
bool steers_loader(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      ".interp", ".dynamic", ".dynsym", ".dynstr", ".gnu.hash", ".hash", ".preinit_array",
      ".rela.dyn", ".gnu.version", ".plt", ".got", ".rela.plt",
      // Of clang's pragmas: libraries and options for the linker.
      ".deplibs", ".linker-options"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view n) { return name.starts_with(n); });
}

/// Sections that the linker places with the code because of their names, whatever their flags.
bool is_named_like_code(std::string_view name) {
  return name == ".text" || name.starts_with(".text.") || name.starts_with(".gnu.linkonce.t.") ||
         name == ".stub";
}

/// Code that the loader runs before or after everything else, because of its section's name.
bool is_loaders_code(std::string_view name) {
  return name == ".init" || name == ".fini" || name.starts_with(".init.") ||
         name.starts_with(".fini.");
}

/// ".init_array" for ".init_array.00101". Empty for other names.
std::string_view table_of(std::string_view name) {
  for (const std::string_view table : {".init_array", ".fini_array", ".ctors", ".dtors"}) {
    if (name == table || (name.starts_with(table) && name[table.size()] == '.')) {
      return table;
    }
  }
  return {};
}

/// `svc`: instructions are four bytes, aligned to four.
bool has_arm64_kernel_call(std::string_view code) {
  for (std::size_t at = 0; at + 4 <= code.size(); at += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, code.data() + at, sizeof(word));
    if ((word & 0xffe0001fU) == 0xd4000001U) {
      return true;
    }
  }
  return false;
}

bool has_kernel_call(std::string_view code, bool is_arm64) {
  using namespace std::string_view_literals;
  if (is_arm64) {
    return has_arm64_kernel_call(code);
  }
  for (const std::string_view bytes : {"\x0f\x05"sv, "\x0f\x34"sv, "\xcd\x80"sv}) {
    if (code.find(bytes) != code.npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

ObjectScan scan_symbols(const std::vector<ObjectSymbol>& symbols,
                        const std::vector<SourceFile>& files,
                        const std::vector<std::string>& allowed,
                        const std::function<std::string(const std::string&)>& brought_by,
                        ObjectKind kind) {
  ObjectScan scan;
  std::set<std::string> seen;
  for (const ObjectSymbol& symbol : symbols) {
    const SymbolRule* rule =
        symbol.defined ? rule_of_defined(symbol.name) : rule_of_needed(symbol.name);
    if (rule != nullptr && !symbol.defined &&
        std::find(allowed.begin(), allowed.end(), symbol.name.substr(0, symbol.name.find('@'))) !=
            allowed.end()) {
      continue;
    }
    if (rule != nullptr && kind == ObjectKind::program && rule->programs_may) {
      continue;
    }
    if (symbol.chosen_by_code && scan.refusal.empty()) {
      scan.refusal = fmt::format(
          "`{}` is resolved by code that runs at load time (ifunc, target_clones); remove it",
          spoken(symbol.name));
    }
    // Templates of libstdc++ have weak references to thread functions even if they start no thread.
    if (rule == nullptr || (!symbol.defined && symbol.weak && !rule->refused)) {
      continue;
    }
    const std::string name = spoken(symbol.name);
    if (!seen.insert(name + std::string(rule->kind)).second) {
      continue;
    }
    const std::string place = place_of_name(name, files);
    std::string where =
        place.empty() ? fmt::format("`{}`", name) : fmt::format("`{}` at {}", name, place);
    if (rule->refused && scan.refusal.empty()) {
      const std::string origin = place.empty() && brought_by ? brought_by(name) : "";
      if (!origin.empty()) {
        where += fmt::format(", from {}", origin);
      }
      scan.refusal = fmt::format("{}: {}; remove it", where, rule->reason);
    }
    scan.flags.push_back(
        {.kind = std::string(rule->kind),
         .message =
             fmt::format("It {} {}: {}.", symbol.defined ? "defines" : "uses", where, rule->reason),
         .evidence =
             fmt::format("symbol {} of its object file", printable(std::string(symbol.name)))});
  }
  return scan;
}

SectionScan scan_sections(const std::vector<ObjectSection>& sections, bool is_arm64) {
  SectionScan scan;
  for (const ObjectSection& section : sections) {
    if (steers_loader(section.name)) {
      scan.refusal = fmt::format("section {} is reserved for the linker; remove it",
                                 printable(std::string(section.name)));
    } else if (section.executable && section.writable) {
      scan.refusal = fmt::format("section {} is writable code; remove it",
                                 printable(std::string(section.name)));
    } else if (!section.executable && is_named_like_code(section.name)) {
      scan.refusal = fmt::format("section {} becomes code but is not marked as such; remove it",
                                 printable(std::string(section.name)));
    }
    const std::string_view table = table_of(section.name);
    if (is_loaders_code(section.name) || (section.initializes && table.empty())) {
      scan.refusal = fmt::format("section {} runs before main; remove it",
                                 printable(std::string(section.name)));
    } else if (!table.empty() && section.name != table) {
      const std::string_view priority = section.name.substr(table.size() + 1);
      if (priority.empty() || !std::all_of(priority.begin(), priority.end(),
                                           [](char c) { return c >= '0' && c <= '9'; })) {
        scan.refusal = fmt::format("section {} is not generated by any compiler; remove it",
                                   printable(std::string(section.name)));
      }
      scan.renames.emplace_back(section.name, table);
    }
    scan.may_call_kernel =
        scan.may_call_kernel || (section.executable && has_kernel_call(section.content, is_arm64));
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
    // Also with prefixes.
    for (const std::string_view call : {"syscall", "sysenter", "int    $0x80", "svc"}) {
      const std::size_t at = instruction.find(call);
      if (at == 0 || (at != instruction.npos && instruction[at - 1] == ' ' &&
                      instruction.find_first_of("<#") > at)) {
        return true;
      }
    }
  }
  return false;
}

namespace {

/// A source without comments, with neighbouring string literals made one and escapes of single
/// characters resolved: `"/pro" "c/"` and `"/\x70roc/"` are "/proc/". Keeps the line of each
/// character.
struct JoinedText {
  std::string text;
  std::vector<std::size_t> lines;
};

/// The character of an escape such as \x70 or \160, and its length; 0 for others.
std::pair<char, std::size_t> character_of(std::string_view escape) {
  const bool is_hex = escape.starts_with("\\x");
  const std::size_t start = is_hex ? 2 : 1;
  unsigned value = 0;
  const std::string_view digits = escape.substr(std::min(start, escape.size()), is_hex ? 2 : 3);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hex ? 16 : 8);
  if (error != std::errc() || value > 127) {
    return {'\0', 0};
  }
  return {static_cast<char>(value), start + static_cast<std::size_t>(end - digits.data())};
}

JoinedText joined_strings(std::string_view code) {
  JoinedText joined;
  std::size_t line = 1;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const char c = code[at];
    if (c == '\\') {
      if (const auto [character, length] = character_of(code.substr(at)); length > 0) {
        joined.text.push_back(character);
        joined.lines.push_back(line);
        at += length - 1;
        continue;
      }
    }
    if (c == '"') {
      // To the next literal, if nothing but space and a prefix lies between.
      std::size_t next = code.find_first_not_of(" \t\r\n\\", at + 1);
      for (const std::string_view prefix : {"u8", "u", "U", "L", "R"}) {
        if (next != code.npos && code.substr(next).starts_with(prefix)) {
          next += prefix.size();
        }
      }
      if (next != code.npos && next < code.size() && code[next] == '"') {
        line += static_cast<std::size_t>(
            std::count(code.begin() + static_cast<std::ptrdiff_t>(at),
                       code.begin() + static_cast<std::ptrdiff_t>(next), '\n'));
        at = next;
        continue;
      }
    }
    joined.text.push_back(c);
    joined.lines.push_back(line);
    line += c == '\n' ? 1 : 0;
  }
  return joined;
}

}  // namespace

std::vector<IntegrityFlag> scan_sources(const std::vector<SourceFile>& files,
                                        const std::vector<std::string>& allowed_libraries) {
  struct Sign {
    std::string_view text;
    std::string_view library;  // that a lab may allow; empty: none
    std::string_view kind;
    std::string_view message;
  };
  static constexpr std::string_view kLibrary = "It includes a library that may solve the exercise";
  static constexpr Sign kSigns[] = {
      {"cub/", "cub", "library", kLibrary},      {"thrust/", "thrust", "library", kLibrary},
      {"cublas", "cublas", "library", kLibrary}, {"cudnn", "cudnn", "library", kLibrary},
      {"cufft", "cufft", "library", kLibrary},   {"cusparse", "cusparse", "library", kLibrary},
      {"npp", "npp", "library", kLibrary},       {"cutlass", "cutlass", "library", kLibrary},
  };
  static constexpr Sign kWords[] = {
      {"incbin", "", "assembler-file", "It makes the assembler read a file"},
      {"constructor", "", "runs-before-main", "It has code that runs before main"},
      {"init_priority", "", "runs-before-main", "It has code that runs before main"},
      {"/proc/", "", "looks-around", "It contains a system path"},
      {"/etc/", "", "looks-around", "It contains a system path"},
      {"WARPSIM_", "", "looks-around", "It contains the name of an emulator setting"},
  };
  std::vector<IntegrityFlag> flags;
  for (const SourceFile& file : files) {
    const auto flag = [&](const Sign& sign, std::size_t line, std::string_view text) {
      flags.push_back({.kind = std::string(sign.kind),
                       .message = fmt::format("{}: {}:{}.", sign.message, file.name, line),
                       .evidence = printable(std::string(text.substr(0, 200)))});
    };
    std::size_t number = 0;
    const std::string code = without_comments(file.text);
    for (const std::string_view line : split_lines(code)) {
      ++number;
      if (line.find("include") != line.npos) {
        for (const Sign& sign : kSigns) {
          const bool allowed = std::find(allowed_libraries.begin(), allowed_libraries.end(),
                                         sign.library) != allowed_libraries.end();
          if (!allowed && line.find(sign.text) != line.npos) {
            flag(sign, number, line);
          }
        }
      }
    }
    const auto lines = split_lines(code);
    const JoinedText joined = joined_strings(code);
    for (const Sign& sign : kWords) {
      std::size_t last = 0;
      for (std::size_t at = joined.text.find(sign.text); at != joined.text.npos;
           at = joined.text.find(sign.text, at + 1)) {
        const std::size_t where = joined.lines[at];
        if (where != std::exchange(last, where)) {
          flag(sign, where, where <= lines.size() ? lines[where - 1] : std::string_view());
        }
      }
    }
  }
  constexpr std::size_t kMost = 20;  // more would not help a reviewer
  flags.resize(std::min(flags.size(), kMost));
  return flags;
}

}  // namespace warpgrade
