#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/debug/values.h"
#include "emulator/debug_info/dwarf.h"

// What a thread can see by name: parameters, shared arrays, built-in variables, variables of the
// device, PTX registers.

namespace warpsim::debug {

struct Named {
  std::string name;
  Value value;
};

/// What a thread's names are looked up in.
struct Names {
  Types& types;
  const DebugInfo& info;  // of the module of the thread's frame; may be empty
};

/// Variables of the function and of the blocks around the thread's place; needs debug information.
[[nodiscard]] std::vector<Named> locals(Names names, const Thread& thread);
/// Of a kernel, or of a function that was called. Without debug information their names are not
/// known: arg0, arg1, ...
[[nodiscard]] std::vector<Named> parameters(Names names, const Thread& thread);
/// The arrays of the block; without debug information with the type of the accesses.
[[nodiscard]] std::vector<Named> shared_arrays(Names names, const Thread& thread);
/// threadIdx, blockIdx, blockDim, gridDim, warpSize, and the numbers of the lane and the warp.
[[nodiscard]] std::vector<Named> built_ins(Types& types, const Thread& thread);
/// Registers of the frame's function that have a place, as "%r1".
[[nodiscard]] std::vector<Named> registers(Types& types, const Thread& thread);
/// Live allocations of global memory; their element type is a guess from what the kernel does.
[[nodiscard]] std::vector<Named> allocations(Types& types, const Thread& thread);

/// The value of a name, in this order: a local variable, a parameter, a shared array, a built-in, a
/// variable of the device, a register.
[[nodiscard]] std::optional<Value> find_named(Names names, const Thread& thread,
                                              std::string_view name);

/// The element type with which the code of a function accesses a space, where it is always the
/// same; else words of unknown type.
[[nodiscard]] const Type* usual_element(Types& types, const Program& program, ptx::Space space);
/// The type of a register or an access, as C++ has it.
[[nodiscard]] const Type* type_of(Types& types, ptx::Type type);

}  // namespace warpsim::debug
