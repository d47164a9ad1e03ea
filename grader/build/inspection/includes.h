#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/record/grade/grade.h"

namespace warpgrade {

/// An #include directive as written.
struct IncludeDirective {
  std::string path;
  bool quoted = true;  // "..." rather than <...>
  std::uint32_t line = 0;
};

/// Lists the #include directives of a C++ source, those in comments and strings left out. An
/// include whose name comes from a macro is not seen.
[[nodiscard]] std::vector<IncludeDirective> find_includes(std::string_view source);

/// The folders that a compiler must search so that each of these files finds those that it
/// includes, relative to where they lie; "." is that place itself. None if every include names its
/// file relative to the including one.
[[nodiscard]] std::set<std::string> include_folders(const std::vector<SourceFile>& files);

/// The programs among these files that others of them include, by name: they are compiled as part
/// of those, and not by themselves.
[[nodiscard]] std::set<std::string> included_programs(const std::vector<SourceFile>& files);

}  // namespace warpgrade
