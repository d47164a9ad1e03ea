#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "emulator/tests/golden_runner/backend.h"
#include "emulator/tests/golden_runner/value.h"

// `name.ptx` files: whole modules with launches in comments (see ../golden/README.md).

namespace warpsim::golden {

/// A kernel's argument: a value, or a buffer with values before and after the launch.
struct Argument {
  std::size_t line = 0;
  bool is_buffer = false;
  ptx::Type type = ptx::Type::none;
  std::vector<Bits> before;  // the value, or the buffer's contents; empty: filled with 0xcb
  std::vector<Expected> after;  // empty when nothing is compared
  Tolerance tolerance;
};

struct Run {
  std::size_t line = 0;
  std::string entry;
  LaunchShape shape;
  std::vector<Argument> arguments;
};

struct ModuleFile {
  std::string name;  // "atom.ptx"
  std::string text;
  Target target;
  std::vector<Run> runs;
};

/// @throws std::runtime_error  "atom.ptx:3: ..."
[[nodiscard]] ModuleFile read_module_file(const std::filesystem::path& path);
[[nodiscard]] ModuleFile parse_module_file(std::string name, std::string text);

}  // namespace warpsim::golden
