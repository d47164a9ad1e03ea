#pragma once

#include <string_view>

namespace warpgrade {

/// A group of functions and why a submission has no business with them.
struct SymbolRule {
  bool refused = false;  // else it is flagged for a person
  std::string_view kind;  // of the flag
  std::string_view reason;  // "a submission may not ..."
};

/// The rule for a name that a submission's object needs; null for what exercises use
/// (allowed_names.h).
[[nodiscard]] const SymbolRule* rule_of_needed(std::string_view name);

/// The rule for a name that it defines; null for what anybody may define.
[[nodiscard]] const SymbolRule* rule_of_defined(std::string_view name);

}  // namespace warpgrade
