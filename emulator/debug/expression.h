#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "emulator/debug/values.h"

// C expressions over what a thread can see: names, numbers, `[]`, `.`, `->`, `*`, `&`, casts to
// basic types and pointers to them, arithmetic, comparisons, `&&`, `||`, `?:`. Nothing is changed.

namespace warpsim::debug {

/// What is wrong with an expression; what() is one sentence.
class ExpressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Finds a name's value in a thread; nothing where there is none.
using Lookup = std::function<std::optional<Value>(std::string_view name)>;

/// @throws ExpressionError
[[nodiscard]] Value evaluate(Types& types, const Thread& thread, const Lookup& names,
                             std::string_view text);
/// A number, also a pointer's. @throws ExpressionError for a value that is none
[[nodiscard]] double number_of(Types& types, const Thread& thread, const Value& value);
/// Whether a value counts as true. @throws ExpressionError for one that has none
[[nodiscard]] bool is_true(const Thread& thread, const Value& value);

}  // namespace warpsim::debug
