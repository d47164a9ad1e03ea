#pragma once

#include <string_view>

namespace warpgrade {

/// A group of functions and why a submission may not use them.
struct SymbolRule {
  bool refused = false;  // otherwise it is flagged for review
  std::string_view kind;  // of the flag
  std::string_view reason;  // "a submission may not ..."
  bool programs_may = false;  // submissions that are whole programs may use them
};

/// The rule for an undefined name of a submission's object; null for allowed names
/// (allowed_names.h).
[[nodiscard]] const SymbolRule* rule_of_needed(std::string_view name);

/// The rule for a name that it defines; null if that is allowed.
[[nodiscard]] const SymbolRule* rule_of_defined(std::string_view name);

}  // namespace warpgrade
