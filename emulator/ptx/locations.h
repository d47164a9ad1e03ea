#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/ptx/lexer.h"
#include "emulator/ptx/module.h"

namespace warpsim::ptx {

/// Reads `.file`, `.loc` and `.section` and builds Module::locations: one entry per source position
/// of a function, however often it recurs.
class Locations {
 public:
  /// Clears the known positions: chains of inlined calls never leave a function.
  void begin_function();

  /// `.loc file line column [, function_name label[+n], inlined_at file line column]`, after the
  /// `.loc`. Returns the position's index in module.locations.
  std::uint32_t parse_loc(Lexer& lexer, Module& module);
  /// `.file number "path" [, timestamp, size]`, after the `.file`.
  void parse_file(Lexer& lexer, Module& module);
  /// `.section name { ... }`, after the `.section`. Only .debug_str is read.
  void parse_section(Lexer& lexer, Module& module);

  /// Fills in the names of inlined functions, which the text gives after all code.
  void finish(Module& module) const;

 private:
  struct Key {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct FunctionName {
    std::string_view label;  // empty: none
    std::uint64_t offset = 0;
    bool operator==(const FunctionName&) const = default;
  };

  static Key parse_position(Lexer& lexer);
  std::uint32_t intern(const Key& key, std::uint32_t inlined_at, const FunctionName& name,
                       Module& module);
  void parse_strings(Lexer& lexer);

  std::unordered_map<Key, std::uint32_t, KeyHash> latest_;  // of this function
  std::vector<FunctionName> names_;  // parallel to module.locations
  std::string strings_;  // the bytes of .debug_str
  std::unordered_map<std::string_view, std::size_t> string_labels_;
};

}  // namespace warpsim::ptx
