#include "grader/judge/experiment/source_functions.h"

#include <algorithm>
#include <optional>
#include <set>

namespace warpgrade {
namespace {

using Kind = SourceToken::Kind;
using Tokens = std::vector<SourceToken>;

const std::set<std::string_view> kWholeTypes = {"int",      "unsigned", "long",    "short",
                                                "char",     "size_t",   "int32_t", "uint32_t",
                                                "uint64_t", "int64_t",  "uint",    "signed"};
const std::set<std::string_view> kOtherTypes = {"float", "double", "bool"};
const std::set<std::string_view> kNoTypes = {"return", "else",     "case",   "goto",     "delete",
                                             "new",    "throw",    "using",  "typedef",  "template",
                                             "break",  "continue", "do",     "if",       "for",
                                             "while",  "switch",   "sizeof", "operator", "auto"};
const std::set<std::string_view> kQualifiers = {"const",        "constexpr",  "static", "volatile",
                                                "__restrict__", "__shared__", "extern", "std"};

/// What a declaration begins with: qualifiers, a type and stars.
struct Type {
  std::string name;
  std::size_t next = 0;  // the token after it
};

/// @returns nothing if no type is there
std::optional<Type> type_at(const Tokens& tokens, std::size_t i, std::size_t end) {
  bool is_const = false;
  bool is_whole = false;
  std::string name;
  std::string stars;
  std::string whole;
  for (; i < end; ++i) {
    const SourceToken& token = tokens[i];
    if (token.is("::")) continue;
    if (kQualifiers.contains(token.text)) {
      is_const = is_const || (token.is("const") && stars.empty());
    } else if (kWholeTypes.contains(token.text) && stars.empty()) {
      is_whole = true;
      whole += token.text;
    } else if (token.is("*") && (is_whole || !name.empty())) {
      stars += '*';
    } else if (token.kind == Kind::name && name.empty() && !is_whole &&
               !kNoTypes.contains(token.text)) {
      name = token.text;
    } else {
      break;
    }
  }
  if (is_whole) name = stars.empty() ? "int" : whole;
  if (name.empty()) return std::nullopt;
  if (!stars.empty() && is_const) name = "const " + name;
  return Type{name + stars, i};
}

/// The dimensions of an array after its name: "[][]". @param i  is moved past them
std::string dimensions_at(const Tokens& tokens, std::size_t& i, std::size_t end) {
  std::string dimensions;
  while (i < end && tokens[i].is("[")) {
    i = closing(tokens, i) + 1;
    dimensions += "[]";
  }
  return dimensions;
}

/// Where the block or statement ends in which token `at` is.
std::size_t end_of_scope(const Tokens& tokens, std::size_t at, std::size_t last) {
  int depth = 0;
  for (std::size_t i = at; i <= last; ++i) {
    if (tokens[i].is("{")) ++depth;
    if (tokens[i].is("}") && --depth < 0) return i;
  }
  return last;
}

/// Where a loop ends whose parenthesis this is.
std::size_t end_of_loop(const Tokens& tokens, std::size_t open, std::size_t last) {
  std::size_t i = closing(tokens, open) + 1;
  if (i >= last) return last;
  if (tokens[i].is("{")) return closing(tokens, i);
  // Of a statement without braces: its semicolon outside of parentheses, or a block's end.
  int depth = 0;
  for (; i < last; ++i) {
    const SourceToken& token = tokens[i];
    if (token.is("(") || token.is("[") || token.is("{")) ++depth;
    if (token.is(")") || token.is("]") || token.is("}")) --depth;
    if (depth == 0 && (token.is(";") || token.is("}"))) return i;
  }
  return last;
}

void add_parameters(const Tokens& tokens, std::size_t open, SourceFunction& function) {
  const std::size_t close = closing(tokens, open);
  for (std::size_t i = open + 1; i < close;) {
    std::size_t end = i;
    int depth = 0;
    for (; end < close && !(depth == 0 && tokens[end].is(",")); ++end) {
      depth += tokens[end].is("(") || tokens[end].is("[") || tokens[end].is("<") ? 1 : 0;
      depth -= tokens[end].is(")") || tokens[end].is("]") || tokens[end].is(">") ? 1 : 0;
    }
    const std::optional<Type> type = type_at(tokens, i, end);
    // A type of one word takes its name for a part of it only if that is a known type.
    if (type && type->next + 1 == end && tokens[type->next].kind == Kind::name) {
      function.variables.push_back({.name = tokens[type->next].text,
                                    .type = type->name,
                                    .begin = function.open,
                                    .end = function.last});
    }
    i = end + 1;
  }
}

/// Declarations of one type: "int i = 0, j;".
void add_declared(const Tokens& tokens, std::size_t at, std::size_t scope_end,
                  SourceFunction& function) {
  const std::optional<Type> type = type_at(tokens, at, function.last);
  if (!type) return;
  for (std::size_t i = type->next; i + 1 < function.last && tokens[i].kind == Kind::name;) {
    const std::string_view name = tokens[i].text;
    ++i;
    const std::string dimensions = dimensions_at(tokens, i, function.last);
    if (!(tokens[i].is("=") || tokens[i].is(";") || tokens[i].is(",") || tokens[i].is("{"))) return;
    // The value of its own declaration cannot use it.
    int depth = 0;
    for (; i < function.last; ++i) {
      const SourceToken& token = tokens[i];
      if (token.is("(") || token.is("[") || token.is("{")) ++depth;
      if (token.is(")") || token.is("]") || token.is("}")) --depth;
      if (depth < 0 || (depth == 0 && (token.is(";") || token.is(",")))) break;
    }
    function.variables.push_back(
        {.name = name, .type = type->name + dimensions, .begin = i, .end = scope_end});
    if (!tokens[i].is(",")) return;
    ++i;
    if (tokens[i].is("*")) ++i;
  }
}

void add_locals(const Tokens& tokens, SourceFunction& function) {
  for (std::size_t i = function.open; i < function.last; ++i) {
    const bool in_loop = tokens[i].is("(") && tokens[i - 1].is("for");
    const bool begins = tokens[i].is("{") || tokens[i].is("}") || tokens[i].is(";");
    if (!in_loop && !begins) continue;
    const std::size_t end = in_loop ? end_of_loop(tokens, i, function.last)
                                    : end_of_scope(tokens, i + 1, function.last);
    add_declared(tokens, i + 1, end, function);
  }
}

/// The token after the parameters of a template, which may have words such as `class`.
std::size_t after_template(const Tokens& tokens, std::size_t first, std::size_t end) {
  if (first + 1 >= end || !tokens[first].is("template") || !tokens[first + 1].is("<")) return first;
  int depth = 0;
  for (std::size_t i = first + 1; i < end; ++i) {
    depth += tokens[i].is("<") ? 1 : tokens[i].is(">") ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return end;
}

/// The function whose body opens at a brace; nothing if that is another kind of brace.
std::optional<SourceFunction> function_at(const Tokens& tokens, std::size_t first,
                                          std::size_t open) {
  static const std::set<std::string_view> kOther = {"namespace", "struct", "class", "enum",
                                                    "union",     "extern", "="};
  SourceFunction function = {.first = first, .last = closing(tokens, open), .open = open};
  std::size_t list = 0;
  const std::size_t begin = after_template(tokens, first, open);
  function.is_template = begin != first;
  for (std::size_t i = begin; i < open; ++i) {
    const SourceToken& token = tokens[i];
    if (list == 0 && kOther.contains(token.text)) return std::nullopt;
    function.is_kernel = function.is_kernel || token.is("__global__");
    function.is_on_device = function.is_on_device || token.is("__device__");
    if (!token.is("(")) continue;
    const bool of_attribute =
        i > first && (tokens[i - 1].is("__launch_bounds__") || tokens[i - 1].is("__attribute__"));
    if (!of_attribute && list == 0 && i > first && tokens[i - 1].kind == Kind::name) list = i;
    i = closing(tokens, i);
  }
  if (list == 0 || function.last >= tokens.size()) return std::nullopt;
  function.is_on_device = function.is_on_device || function.is_kernel;
  function.name = tokens[list - 1].text;
  add_parameters(tokens, list, function);
  add_locals(tokens, function);
  return function;
}

/// The name of the namespace that opens at a brace, empty for one without; nothing for other
/// braces.
std::optional<std::string> namespace_at(const Tokens& tokens, std::size_t first, std::size_t open) {
  if (first < open && tokens[first].is("inline")) ++first;
  if (first >= open || !tokens[first].is("namespace")) return std::nullopt;
  std::string name;
  for (std::size_t i = first + 1; i < open; ++i) name += tokens[i].text;
  return name;
}

}  // namespace

std::vector<SourceFunction> functions_in(const Tokens& tokens) {
  std::vector<SourceFunction> functions;
  std::vector<std::string> scopes;  // of the namespaces that are open
  std::size_t first = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is(";")) first = i + 1;
    if (tokens[i].is("}") && !scopes.empty()) {
      scopes.pop_back();
      first = i + 1;
    }
    if (!tokens[i].is("{")) continue;
    const std::string outer = scopes.empty() ? "" : scopes.back();
    if (const std::optional<std::string> name = namespace_at(tokens, first, i)) {
      scopes.push_back(outer.empty() || name->empty() ? outer + *name : outer + "::" + *name);
      first = i + 1;
      continue;
    }
    if (std::optional<SourceFunction> function = function_at(tokens, first, i)) {
      function->scope = outer;
      functions.push_back(*std::move(function));
    }
    i = closing(tokens, i);
    first = i + 1;
  }
  return functions;
}

bool names(const Tokens& tokens, std::size_t at, const SourceFunction& function) {
  if (!tokens[at].is(function.name) || at + 1 >= tokens.size()) return false;
  return tokens[at + 1].is("(") || (function.is_template && tokens[at + 1].is("<"));
}

bool mentions(const Tokens& tokens, const SourceFunction& function, const SourceFunction& other) {
  for (std::size_t i = function.open; i < function.last; ++i) {
    if (names(tokens, i, other)) return true;
  }
  return false;
}

}  // namespace warpgrade
