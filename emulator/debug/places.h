#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/machine/linker.h"
#include "emulator/machine/program.h"

// From instructions to places in the source and back, for stops, stacks and breakpoints.

namespace warpsim::debug {

/// A line of a source file, and the function that has it.
struct Place {
  std::string file;  // as the compiler recorded it; "PTX" where it recorded none
  std::uint32_t line = 0;  // of the PTX, then
  std::uint32_t column = 0;
  std::string function;
};

/// What stepping compares of an instruction: the innermost place in the program's own sources.
struct LineKey {
  std::uint32_t location = ptx::kNoIndex;  // index into ptx::Module::locations
  std::uint32_t file = 0, line = 0;  // 0: the compiler recorded none
  std::uint32_t inlined = 0;  // calls that were inlined around it

  [[nodiscard]] bool same_line(const LineKey& other) const {
    return file == other.file && line == other.line && inlined == other.inlined;
  }
};

/// The lines of a decoded function.
class Lines {
 public:
  explicit Lines(const Program& program);

  /// @param index  of an instruction, Inst::index
  [[nodiscard]] const LineKey& at(std::uint32_t index) const { return keys_[index]; }
  /// The places from the innermost one outwards: inlined calls, then the function itself.
  [[nodiscard]] std::vector<Place> places(std::uint32_t index) const;
  /// Where to stop for a line: the first instruction that is executed of the line in the function,
  /// and in each of the places where the line was inlined.
  [[nodiscard]] std::vector<std::uint32_t> starts_of(std::string_view file,
                                                     std::uint32_t line) const;
  /// The first instruction after what sets the function's parameters up; its first one where that
  /// cannot be told.
  [[nodiscard]] std::uint32_t body() const;
  /// Whether the compiler recorded lines.
  [[nodiscard]] bool known() const { return known_; }

 private:
  const Program* program_;
  std::vector<LineKey> keys_;  // by instruction index
  bool known_ = false;
};

/// Whether two names are the same source file: the same path, or, when one is not absolute, the
/// same last part.
[[nodiscard]] bool same_file(std::string_view recorded, std::string_view asked);

/// The line at or after `line` with code in the same function of the module, up to the function's
/// last line; nothing when there is none.
[[nodiscard]] std::optional<std::uint32_t> line_with_code(const LoadedModule& module,
                                                          std::string_view file,
                                                          std::uint32_t line);

}  // namespace warpsim::debug
