#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace warpgrade
