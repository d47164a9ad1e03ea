#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

/// A student's name identifies grades: it is a folder of the results, a cell of tables, and printed
/// on the terminal. So it must be one line of visible text, and not the name of a results file.

/// Why this cannot be a student's name, one clause; empty if it can.
[[nodiscard]] std::string student_name_problem(std::string_view name);

/// The student's name for work submitted under `name`: `name` itself if it is valid; otherwise with
/// invalid bytes as %XX, as in URLs, and a name that is too long truncated and followed by a
/// checksum. The mapping is injective.
[[nodiscard]] std::string safe_student_name(std::string_view name);

}  // namespace warpgrade
