#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "emulator/tests/golden_runner/value.h"

// `name.golden` files: single instructions with inputs and outputs (see ../golden/README.md).

namespace warpsim::golden {

struct Target {
  std::string architecture = "sm_90";
  std::string isa = "8.6";
  bool operator==(const Target&) const = default;
};

struct Register {
  std::string name;  // without '%'
  ptx::Type type = ptx::Type::none;
};

/// One line of inputs and outputs.
struct Vector {
  std::size_t line = 0;
  std::vector<Bits> inputs;
  /// One column for all forms, or one for each alternative of the first brace.
  std::vector<std::vector<Expected>> columns;
};

/// Vectors that run as lanes of the same warps. A `warp` form has several cases of 32 vectors, any
/// other form has one.
struct Case {
  std::uint32_t active = 0xffffffffu;
  std::vector<Vector> vectors;
};

/// A `form` with its vectors.
struct Form {
  std::size_t line = 0;
  Target target;
  std::string instructions;  // with braces, up to and including the last ';'
  std::vector<Register> inputs;
  std::vector<Register> outputs;
  Tolerance tolerance;
  bool warp = false;
  std::vector<Case> cases;
};

struct FormFile {
  std::string name;  // "add.golden"
  std::vector<Form> forms;
};

/// @throws std::runtime_error  "add.golden:12: 'x' is not a value of type s32"
[[nodiscard]] FormFile read_form_file(const std::filesystem::path& path);
[[nodiscard]] FormFile parse_form_file(std::string name, const std::string& text);

}  // namespace warpsim::golden
