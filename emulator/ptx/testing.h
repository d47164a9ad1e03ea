#pragma once

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "emulator/ptx/module.h"

// Helpers for tests of the parser.

namespace warpsim::ptx {

inline const std::string kHeader = ".version 9.0\n.target sm_75\n.address_size 64\n";

/// Parses a text that must be valid.
inline Module parse_text(std::string text) {
  ParseError error;
  const std::string copy = text;
  auto module = parse(std::move(text), error);
  INFO(error.render("test.ptx", copy));
  REQUIRE(module);
  return std::move(*module);
}

/// Parses `text` after a header.
inline Module parse_module(std::string_view text) {
  return parse_text(kHeader + std::string(text));
}

/// Parses `body` as that of the only entry, `k`, which has a parameter `arg` and some registers.
inline Module parse_in_entry(std::string_view body) {
  return parse_module(
      ".entry k(.param .u64 arg)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<10>;\n.reg .b64 %rd<10>;\n"
      ".reg .f32 %f<4>;\n" +
      std::string(body) + "\n}\n");
}

/// Parses a text that must be invalid; "line:column: message".
inline std::string parse_error(std::string text) {
  ParseError error;
  const auto module = parse(std::move(text), error);
  REQUIRE_FALSE(module);
  return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
}

/// The message alone, for `text` after a header.
inline std::string module_error(std::string_view text) {
  const std::string full = parse_error(kHeader + std::string(text));
  return full.substr(full.find(": ") + 2);
}

/// The message alone, for a body as in parse_in_entry.
inline std::string body_error(std::string_view body) {
  return module_error(".entry k(.param .u64 arg) { .reg .pred %p<4>; .reg .b32 %r<10>; " +
                      std::string(body) + " }");
}

}  // namespace warpsim::ptx
