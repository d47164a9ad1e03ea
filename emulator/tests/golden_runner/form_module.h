#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "emulator/tests/golden_runner/form_file.h"

namespace warpsim::golden {

/// One form without braces, as an entry of a generated module.
struct Entry {
  const Form* form = nullptr;
  std::string instructions;
  std::size_t column = 0;  // of the vectors' outputs
  std::string name;
};

/// Bytes between two vectors' inputs (or outputs) in a buffer; each value takes 16.
constexpr std::size_t kValueStride = 16;

/// The forms that `form` expands to; entry names are unique with the help of `index`, the form's
/// number within its file.
[[nodiscard]] std::vector<Entry> entries(const Form& form, std::size_t index);
/// A module with these entries, which all have the same target. Each takes (inputs, outputs,
/// active lanes): thread i of the grid loads its registers from vector i of both buffers, runs the
/// instructions if its lane is active and stores its output registers.
[[nodiscard]] std::string make_module(const std::vector<Entry>& entries);

}  // namespace warpsim::golden
