#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

/// A student's name is what grades go by: a folder of the results, a cell of tables, a line on the
/// terminal. So it is one line of text that everybody can see and that no file of the results has.

/// Why a student cannot go by this name, one clause; empty if they can.
[[nodiscard]] std::string student_name_problem(std::string_view name);

/// The name that a student goes by whose work came under `name`: that name, if it can be one; else
/// with the bytes that it cannot have as %XX, as in links, and cut where it is too long, behind
/// which a checksum tells it from others. No two names come out equal.
[[nodiscard]] std::string safe_student_name(std::string_view name);

}  // namespace warpgrade
