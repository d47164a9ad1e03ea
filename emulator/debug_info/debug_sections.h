#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/ptx/module.h"

// The debug information that nvcc -G writes into PTX: DWARF 2 as text, with names in the place of
// addresses. The debugger reads it, and recordings do for the values of variables.

namespace warpsim::debug {

/// The bytes of a section, and the names that stand in the place of some.
struct DebugSection {
  struct Symbol {
    std::string_view name;
    std::uint64_t add = 0;
  };
  std::vector<std::uint8_t> bytes;
  std::unordered_map<std::uint64_t, Symbol> symbols;  // by offset of the first byte
  std::unordered_map<std::string_view, std::uint64_t> labels;  // offsets of names in the section
};

/// A place in the code of a module.
struct CodePlace {
  std::uint32_t function = ptx::kNoIndex;  // index into ptx::Module::functions
  std::uint32_t instruction = 0;  // of it
  bool operator==(const CodePlace&) const = default;
};

class DebugSections {
 public:
  explicit DebugSections(const ptx::Module& module);

  /// By name without the dot; empty when there is none.
  [[nodiscard]] const DebugSection& section(std::string_view name) const;
  /// Where a label of the code is; no function when there is none.
  [[nodiscard]] CodePlace label(std::string_view name) const;

 private:
  void read_sections(std::string_view text);
  void read_labels(const ptx::Module& module);

  std::map<std::string_view, DebugSection> sections_;
  std::unordered_map<std::string_view, CodePlace> labels_;
};

}  // namespace warpsim::debug
