#pragma once

#include <vector>

#include "emulator/ptx/context.h"

namespace warpsim::ptx {

/// The part between a state space and the declared names.
struct TypeSpec {
  Type type = Type::none;
  std::uint32_t align = 0;  // 0: natural
  std::uint32_t vector_width = 1;  // .v2, .v4
  bool managed = false;
};

/// `[.attribute(.managed)] [.align 8] [.v4] .f32 [.ptr .global .align 16]`
[[nodiscard]] TypeSpec parse_type_spec(Context& context);

/// `.attribute(.managed, .unified(1, 2))`, after the keyword; returns whether it has .managed.
bool parse_attributes(Lexer& lexer);

/// `.pragma "nounroll";`, after the keyword: hints to the assembler, which execution does not need.
void skip_pragma(Lexer& lexer);

/// A name, or the names of a range: `%r<12>` has a count.
struct DeclaredName {
  Token token;
  bool is_range = false;
  std::uint32_t count = 1;
};
/// @param max  maximum number of names in a range
[[nodiscard]] DeclaredName parse_declared_name(Lexer& lexer, std::uint32_t max);
/// Counts the names of a range that will be expanded against kMaxModuleNames.
void count_names(Context& context, const DeclaredName& name);

/// `.global .align 4 .b8 x[4][8] = {...}, y;`, after the state space, up to and including the
/// semicolon. Appends to `variables`.
/// @param prototype  linkage and space are copied to each variable
void parse_variables(Context& context, const Variable& prototype, std::vector<Variable>& variables);

/// `(.param .b32 a, .param .align 8 .b8 b[16])`, at the opening parenthesis.
[[nodiscard]] std::vector<Variable> parse_parameters(Context& context);

/// For the second function or variable of one name: whether by-name indices should give it instead
/// of the first. A definition replaces a declaration; two definitions are an error at `name`.
[[nodiscard]] bool replaces(const Token& name, bool old_is_definition, bool new_is_definition);

}  // namespace warpsim::ptx
