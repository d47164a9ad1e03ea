#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/expression.h"
#include "harness/core/names.h"
#include "harness/core/toml_table.h"
#include "harness/data/dataset.h"

namespace warpgrade {

// Checks that the readers of a lab's tables share. All throw LabError at the key's line.

/// Lower-case letters, digits and '_', the first not a digit.
[[nodiscard]] bool is_identifier(std::string_view text);
/// The same with upper-case letters.
[[nodiscard]] bool is_type_name(std::string_view text);

/// "did you mean 'rows'?", or "known: columns, rows" if none is close.
[[nodiscard]] std::string suggestion(const std::string& name,
                                     const std::vector<std::string>& known);

/// A name must be one of `known`; otherwise the message lists these or suggests the closest.
void check_known(const TomlTable& table, std::string_view key, const std::string& name,
                 const std::vector<std::string>& known, std::string_view what);

/// Whether points add up: sums of decimal fractions are not exact.
[[nodiscard]] bool same_points(double a, double b);

/// Every name in `formula` must be a dim of every dataset or, if allowed, a counter.
void check_dims(const TomlTable& table, std::string_view key, const Expression& formula,
                const std::vector<Dataset>& datasets, bool counters_too = false);

/// The names of an enumeration as TomlTable::choice() takes them.
template <Named Enum>
[[nodiscard]] std::vector<std::string> names() {
  return {kNamesOf<Enum>.begin(), kNamesOf<Enum>.end()};
}

/// A key whose value is the name of an enumerator.
template <Named Enum>
[[nodiscard]] Enum named(TomlTable& table, std::string_view key) {
  return static_cast<Enum>(table.choice(key, names<Enum>()));
}
template <Named Enum>
[[nodiscard]] Enum named_or(TomlTable& table, std::string_view key, Enum otherwise) {
  return static_cast<Enum>(
      table.choice_or(key, names<Enum>(), static_cast<std::size_t>(otherwise)));
}

}  // namespace warpgrade
