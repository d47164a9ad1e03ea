#pragma once

#include <cstdint>
#include <string>

#include "emulator/machine/linker.h"
#include "emulator/ptx/module.h"

// From instructions to lines of the program's own sources.

namespace warpsim {

/// Path of a source file by its number in the module; the module's name where it has none.
[[nodiscard]] std::string file_of(const LoadedModule& module, std::uint32_t file);

/// The innermost place in the program's own sources from which an instruction was inlined: what
/// happens in headers of the compiler, or outside of MachineOptions::source_folder, is the doing of
/// the line that calls them.
[[nodiscard]] const ptx::SourceLocation* own_location(const LoadedModule& module,
                                                      const ptx::SourceLocation* location);

}  // namespace warpsim
