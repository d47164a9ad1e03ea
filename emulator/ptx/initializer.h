#pragma once

#include <cstdint>
#include <vector>

#include "emulator/ptx/context.h"

namespace warpsim::ptx {

struct ArrayShape {
  Type element = Type::none;
  std::vector<std::uint64_t> dimensions;  // empty for a scalar; the first may be 0: unsized
};

/// Reads an initial value, after the '=': a number, `{...}` nested as the array is, and addresses
/// (sym, sym+8, generic(sym), and 0xFF00(sym) for single bytes of an address). Fills
/// variable.initial and variable.relocations, and variable.size_bytes of an unsized array.
void parse_initializer(Context& context, const ArrayShape& shape, Variable& variable);

}  // namespace warpsim::ptx
