#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/source_tokens.h"

namespace warpgrade {

/// A variable, as far as the declaration says what it is.
struct SourceVariable {
  std::string_view name;
  /// Variables of one class can stand for each other: "int" of any width and sign, "float", "Map",
  /// "float*", "float[][]". `const` of what a pointer points to belongs to it.
  std::string type;
  std::size_t begin = 0, end = 0;  // tokens where it can be used
};

/// A function that is defined in a source, at its outermost level or in a namespace.
struct SourceFunction {
  std::string_view name = {};
  std::string scope = {};  // "a::b"; empty for the outermost one, and in anonymous namespaces
  bool is_kernel = false;
  bool is_on_device = false;  // a kernel, or a function for the device
  bool is_template = false;
  std::size_t first = 0, last = 0;  // its tokens, with both braces
  std::size_t open = 0;  // the brace of its body
  std::vector<SourceVariable> variables = {};  // parameters first
};

[[nodiscard]] std::vector<SourceFunction> functions_in(const std::vector<SourceToken>& tokens);

/// Whether token `at` is the name of a function in a call, or in its definition.
[[nodiscard]] bool names(const std::vector<SourceToken>& tokens, std::size_t at,
                         const SourceFunction& function);

/// Whether it calls another function, or itself.
[[nodiscard]] bool mentions(const std::vector<SourceToken>& tokens, const SourceFunction& function,
                            const SourceFunction& other);

}  // namespace warpgrade
