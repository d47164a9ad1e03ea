#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/grade_record/grade.h"
#include "grader/inspection/object_file.h"

namespace warpgrade {

/// What a submission's object file asks for that an exercise never needs.
struct ObjectScan {
  std::string refusal;  // why it is not linked, one sentence; empty if nothing is wrong
  std::vector<IntegrityFlag> flags;
};

/// Looks at the names that an object needs and defines: no macro, cast or spelling hides those.
///
/// @param files       to say where in the sources a name stands
/// @param allowed     names that the lab allows, whatever the rules say
/// @param brought_by  asked about a refused name that stands in none of them: what brings it, as
///                    text; empty if it cannot be told
[[nodiscard]] ObjectScan scan_symbols(
    const std::vector<ObjectSymbol>& symbols, const std::vector<SourceFile>& files,
    const std::vector<std::string>& allowed = {},
    const std::function<std::string(const std::string&)>& brought_by = {});

/// What the sections of an object say.
struct SectionScan {
  std::string refusal;  // as above
  bool may_call_kernel = false;  // machine code holds the bytes of a system call somewhere
  /// Tables of functions with a priority, which would run before the harness has opened its files,
  /// and the names that make them ordinary: ".init_array.00101" to ".init_array".
  std::vector<std::pair<std::string, std::string>> renames;
};

/// Looks for sections that would steer the linker or the loader, and for system calls in machine
/// code.
[[nodiscard]] SectionScan scan_sections(const std::vector<ObjectSection>& sections,
                                        bool is_arm64 = false);

/// Whether a disassembly (`objdump -d --no-show-raw-insn`) has a system call in it.
[[nodiscard]] bool calls_kernel(std::string_view disassembly);

/// What the sources say about themselves: libraries that do the exercise, code outside of main,
/// files pulled in by the assembler.
///
/// @param allowed_libraries  as the lab lists them: "cub", "thrust"
[[nodiscard]] std::vector<IntegrityFlag> scan_sources(
    const std::vector<SourceFile>& files, const std::vector<std::string>& allowed_libraries);

}  // namespace warpgrade
