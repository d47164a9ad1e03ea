#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpgrade {

/// A file that is named after who submitted it.
struct PersonFile {
  std::string person;  // "Jane Doe"
  std::string file;  // "vecadd.cu"
};

/// Google Classroom's "Jane Doe - vecadd.cu", and Brightspace's "12345-678 - Jane Doe - Nov 12,
/// 2026 918 PM - vecadd.cu". Nothing for other names.
[[nodiscard]] std::optional<PersonFile> parse_person_file(std::string_view name);

}  // namespace warpgrade
