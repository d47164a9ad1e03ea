#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

/// A C++ source with its comments replaced by spaces; lines keep their numbers.
[[nodiscard]] std::string without_comments(std::string_view source);

/// The same for Python.
[[nodiscard]] std::string without_python_comments(std::string_view source);

/// A file of a submission without its comments, in the language that its name says.
[[nodiscard]] std::string code_of(std::string_view name, std::string_view source);

}  // namespace warpgrade
