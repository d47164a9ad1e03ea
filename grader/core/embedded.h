#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

/// A file that was compiled into the program (see grader/CMakeLists.txt), by its name without
/// folders: "grade.schema.json", "feedback.html".
///
/// @throws std::logic_error  if no file has that name (an internal error)
[[nodiscard]] std::string_view embedded_file(std::string_view name);

}  // namespace warpgrade
