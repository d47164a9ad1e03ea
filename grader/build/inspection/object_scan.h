#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/build/inspection/object_file.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// What a submission's object file uses that no exercise needs.
struct ObjectScan {
  std::string refusal;  // why it is rejected, one sentence; empty if it is not
  std::vector<IntegrityFlag> flags;
};

/// What a submission is: a function that a harness calls, or a whole program, which reads and
/// writes files.
enum class ObjectKind : std::uint8_t { function, program };

/// Checks the symbols that an object needs and defines, which no macro, cast or spelling can hide.
///
/// @param files       to locate a name in the sources
/// @param allowed     names that the lab allows in spite of the rules
/// @param brought_by  called for a rejected name that occurs in none of them: where it comes from,
///                    as text; empty if unknown
[[nodiscard]] ObjectScan scan_symbols(
    const std::vector<ObjectSymbol>& symbols, const std::vector<SourceFile>& files,
    const std::vector<std::string>& allowed = {},
    const std::function<std::string(const std::string&)>& brought_by = {},
    ObjectKind kind = ObjectKind::function);

/// What the sections of an object contain.
struct SectionScan {
  std::string refusal;  // as above
  bool may_call_kernel = false;  // machine code contains the bytes of a system call
  /// Renames sections of functions with a priority, which would run before the harness has opened
  /// its files, to those without one: ".init_array.00101" to ".init_array".
  std::vector<std::pair<std::string, std::string>> renames;
};

/// Looks for sections that influence the linker or the loader, and for system calls in machine
/// code.
[[nodiscard]] SectionScan scan_sections(const std::vector<ObjectSection>& sections,
                                        bool is_arm64 = false);

/// Whether a disassembly (`objdump -d --no-show-raw-insn`) contains a system call.
[[nodiscard]] bool calls_kernel(std::string_view disassembly);

/// Flags from the sources: libraries that solve the exercise, code that runs outside of main, files
/// included by the assembler.
///
/// @param allowed_libraries  as the lab lists them: "cub", "thrust"
[[nodiscard]] std::vector<IntegrityFlag> scan_sources(
    const std::vector<SourceFile>& files, const std::vector<std::string>& allowed_libraries);

}  // namespace warpgrade
