#pragma once

#include <map>
#include <string>

#include "harness/variants/syntax.h"

namespace warpgrade {

/// What stands in place of some parts of an expression.
using SyntaxEdits = std::map<const SyntaxNode*, std::string>;

/// An expression with edits, as C++: what replaces an operand is in parentheses where it needs
/// them.
[[nodiscard]] std::string edited(const SourceTokens& tokens, const SyntaxNode& node,
                                 const SyntaxEdits& edits);

/// The same as a student would write it: without casts, "std::", and what only golden functions
/// have, as `.want` and `call.dim("n")`.
[[nodiscard]] std::string shown(const SourceTokens& tokens, const SyntaxNode& node,
                                const SyntaxEdits& edits = {});

}  // namespace warpgrade
