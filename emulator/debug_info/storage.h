#pragma once

#include <cstdint>

#include "emulator/debug_info/dwarf.h"
#include "emulator/machine/context.h"

namespace warpsim::debug {

/// Where a variable's bytes are while a function runs: what a place of the debug information names.
struct Storage {
  enum class Kind : std::uint8_t {
    none,  // the function as it is executed has no such register or name
    reg,  // `number` is an index of ptx::Function::registers
    parameter,  // `number` bytes into the kernel's parameters
    local,  // `number` bytes into the frame's part of each lane's local memory
    shared,  // an offset in the block's shared memory
    global,  // a device address
  } kind = Kind::none;
  std::uint64_t number = 0;

  bool operator==(const Storage&) const = default;
};

/// @param program  the function that has the variable
[[nodiscard]] Storage storage_of(const LaunchState& launch, const Program& program,
                                 const VariablePlace& place);

/// The place of an instruction in the text of its function; the end for one that is not in it.
[[nodiscard]] std::uint32_t text_place(const Program& program, std::uint32_t instruction);
/// The index of the program's function in its module.
[[nodiscard]] std::uint32_t function_index(const Program& program);

}  // namespace warpsim::debug
