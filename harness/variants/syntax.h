#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/source_tokens.h"

namespace warpgrade {

using SourceTokens = std::vector<SourceToken>;

struct SyntaxStatement;

/// An expression of C++, or a part of one, as far as golden functions need it.
struct SyntaxNode {
  enum class Kind : std::uint8_t {
    number,
    name,  // qualified names and constants, too: std::max<int>, true
    literal,  // a text or a character
    call,  // what is called, arguments
    subscript,  // array, index
    member,  // object
    unary,
    postfix,
    binary,
    assign,
    ternary,  // condition, two results
    paren,
    cast,  // static_cast<T>(...), T{...}
    braces,
    lambda,
  };
  Kind kind = Kind::literal;
  std::size_t begin = 0, end = 0;  // tokens
  std::size_t op = 0;  // token of the operator, or of the member's name
  std::vector<SyntaxNode> children = {};  // in the order of the source
  std::vector<SyntaxStatement> body;  // of a lambda, one block
};

/// A statement of a function's body.
struct SyntaxStatement {
  enum class Kind : std::uint8_t {
    block,
    expression,
    declaration,  // of one variable or more, with their initial values
    condition,  // if: `expressions` has one; `children` has one statement or two
    loop,  // for, while, do: `children` ends with the body, a for's first one is before the loop
    range_loop,
    choice,  // switch
    jump,  // break, continue
    result,  // return
    other,  // no expressions: it is left as it is
  };
  Kind kind = Kind::other;
  std::size_t begin = 0, end = 0;  // tokens, its semicolon included
  std::vector<SyntaxNode> expressions = {};
  std::vector<SyntaxStatement> children = {};
  /// Declared variables; `expressions` has the initial values of those that have one.
  struct Declared {
    std::string name;
    std::string type;  // without const and std::, with `*` or `&`
    int value = -1;  // its initial value in `expressions`, or -1
  };
  std::vector<Declared> declared = {};
  bool is_constant = false;  // declares constexpr or static variables
  std::size_t step = 0;  // of a for: place of the first one in `expressions`; 0 if there is none
};

/// A function with a body.
struct SyntaxFunction {
  std::string name;
  std::string type = {};  // of its result, as of a variable
  std::vector<SyntaxStatement::Declared> parameters = {};
  SyntaxStatement body;
};

/// The functions that a source defines, at any depth of namespaces and classes. What this reader
/// does not understand is in statements of kind `other`.
[[nodiscard]] std::vector<SyntaxFunction> functions_of(const SourceTokens& tokens);

/// A whole text as one expression. @throws std::invalid_argument  if it is none
[[nodiscard]] SyntaxNode expression_of(const SourceTokens& tokens);

/// The tokens from `begin` to before `end` as one line, without comments.
[[nodiscard]] std::string text_of(const SourceTokens& tokens, std::size_t begin, std::size_t end);

/// How strongly a binary operator binds, from 1; 0 for what is none.
[[nodiscard]] int binding_of(std::string_view op);

}  // namespace warpgrade
