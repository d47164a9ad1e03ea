#include "emulator/ptx/declarations.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <unordered_set>

#include "emulator/ptx/initializer.h"
#include "emulator/ptx/limits.h"
#include "emulator/ptx/number.h"

namespace warpsim::ptx {
namespace {

std::uint32_t parse_alignment(Lexer& lexer) {
  const Token number = lexer.peek();
  const std::uint64_t align = expect_integer(lexer, "the alignment", kMaxAlignment);
  if (!std::has_single_bit(align)) {
    fail(number, fmt::format("the alignment must be a power of two, found {}", align));
  }
  return static_cast<std::uint32_t>(align);
}

/// `.ptr [.space] [.align n]`, after `.ptr`: describes the target, which execution does not need.
void skip_pointer_spec(Lexer& lexer) {
  if (lexer.at(Token::Kind::dotted) && parse_space(lexer.peek().text)) lexer.next();
  if (lexer.accept_dotted("align")) (void)parse_alignment(lexer);
}

bool is_opaque_type(std::string_view text) {
  return text == "texref" || text == "samplerref" || text == "surfref";
}

/// `[4][8]` or `[][8]`; an unsized dimension is 0.
std::vector<std::uint64_t> parse_dimensions(Lexer& lexer) {
  std::vector<std::uint64_t> dimensions;
  while (lexer.at('[')) {
    const Token bracket = lexer.next();
    if (dimensions.size() == kMaxDimensions) {
      fail(bracket, fmt::format("an array has at most {} dimensions", kMaxDimensions));
    }
    if (lexer.at(']') && dimensions.empty()) {
      dimensions.push_back(0);
    } else {
      dimensions.push_back(expect_integer(lexer, "the array size", kMaxVariableBytes));
      if (dimensions.back() == 0 && dimensions.size() > 1) {
        fail(bracket, "only the first dimension of an array may be 0");
      }
    }
    lexer.expect(']', "after the array size");
  }
  return dimensions;
}

std::uint64_t total_bytes(const Token& name, std::uint64_t element_bytes,
                          const std::vector<std::uint64_t>& dimensions) {
  std::uint64_t total = element_bytes;
  for (const std::uint64_t n : dimensions) {
    if (n == 0) continue;  // unsized, but the size of one row is limited, too
    if (total > kMaxVariableBytes / n) {
      fail(name, fmt::format("{} is larger than {} bytes", describe(name), kMaxVariableBytes));
    }
    total *= n;
  }
  const bool unsized = !dimensions.empty() && dimensions.front() == 0;
  return unsized ? 0 : total;
}

/// The declared names themselves: one, or those of a range.
void append(Context& context, const DeclaredName& name, Variable variable,
            std::vector<Variable>& variables) {
  if (!name.is_range) {
    variable.name = name.token.text;
    variables.push_back(std::move(variable));
    return;
  }
  count_names(context, name);
  for (std::uint32_t i = 0; i < name.count; ++i) {
    variable.name = context.module.names.add(name.token.text, i);
    variables.push_back(variable);
  }
}

Variable describe_variable(const TypeSpec& spec, Variable variable, std::uint32_t line) {
  const auto bytes = static_cast<std::uint32_t>(size_bytes(spec.type)) * spec.vector_width;
  variable.type = spec.type;
  variable.align = spec.align != 0 ? spec.align : std::max(bytes, 1u);
  variable.managed = spec.managed;
  variable.ptx_line = line;
  return variable;
}

/// The name, dimensions and initialiser of one variable.
void parse_declarator(Context& context, const TypeSpec& spec, const Variable& prototype,
                      std::vector<Variable>& variables) {
  Lexer& lexer = context.lexer;
  const DeclaredName name = parse_declared_name(lexer, kMaxParameters);
  Variable variable = describe_variable(spec, prototype, name.token.line);
  ArrayShape shape{.element = spec.type, .dimensions = parse_dimensions(lexer)};
  if (spec.vector_width > 1) shape.dimensions.push_back(spec.vector_width);
  variable.size_bytes = total_bytes(name.token, size_bytes(spec.type), shape.dimensions);
  if (lexer.at('=')) {
    const Token equals = lexer.next();
    if (name.is_range) fail(equals, "a range of variables cannot have an initial value");
    parse_initializer(context, shape, variable);
  }
  append(context, name, std::move(variable), variables);
}

}  // namespace

TypeSpec parse_type_spec(Context& context) {
  Lexer& lexer = context.lexer;
  TypeSpec spec;
  while (spec.type == Type::none) {
    const Token word = lexer.expect(Token::Kind::dotted, "a type");
    if (word.text == "align") {
      spec.align = parse_alignment(lexer);
    } else if (word.text == "attribute") {
      spec.managed = parse_attributes(lexer) || spec.managed;
    } else if (word.text == "v2" || word.text == "v4" || word.text == "v8") {
      spec.vector_width = static_cast<std::uint32_t>(word.text[1] - '0');
    } else if (const auto type = parse_type(word.text)) {
      spec.type = *type;
    } else if (is_opaque_type(word.text)) {
      spec.type = Type::b64;  // a handle
    } else {
      fail(word, fmt::format("unknown type {}", describe(word)));
    }
  }
  if (lexer.accept_dotted("ptr")) skip_pointer_spec(lexer);
  if (lexer.accept_dotted("align")) spec.align = parse_alignment(lexer);
  return spec;
}

bool parse_attributes(Lexer& lexer) {
  bool managed = false;
  lexer.expect('(', "after .attribute");
  do {
    const Token word = lexer.expect(Token::Kind::dotted, "an attribute");
    if (word.text == "managed") {
      managed = true;
    } else if (word.text == "unified") {
      lexer.expect('(', "after .unified");
      do {
        (void)expect_integer(lexer, "an argument of .unified", ~std::uint64_t{0});
      } while (lexer.accept(','));
      lexer.expect(')', "after the arguments of .unified");
    } else {
      fail(word, fmt::format("unknown attribute {}", describe(word)));
    }
  } while (lexer.accept(','));
  lexer.expect(')', "after the attributes");
  return managed;
}

void skip_pragma(Lexer& lexer) {
  do {
    (void)lexer.expect(Token::Kind::string, "the text of .pragma");
  } while (lexer.accept(','));
  lexer.expect(';', "after .pragma");
}

void count_names(Context& context, const DeclaredName& name) {
  context.names += name.count;
  if (context.names > kMaxModuleNames) {
    fail(name.token,
         fmt::format("this module declares more than {} names in ranges", kMaxModuleNames));
  }
}

DeclaredName parse_declared_name(Lexer& lexer, std::uint32_t max) {
  DeclaredName name{.token = lexer.expect(Token::Kind::identifier, "a name")};
  if (lexer.accept('<')) {
    name.is_range = true;
    name.count =
        static_cast<std::uint32_t>(expect_integer(lexer, "the number of names in a range", max));
    lexer.expect('>', "after the number of names in a range");
  }
  return name;
}

void parse_variables(Context& context, const Variable& prototype,
                     std::vector<Variable>& variables) {
  const TypeSpec spec = parse_type_spec(context);
  do {
    parse_declarator(context, spec, prototype, variables);
  } while (context.lexer.accept(','));
  context.lexer.expect(';', "after a declaration");
}

std::vector<Variable> parse_parameters(Context& context) {
  Lexer& lexer = context.lexer;
  std::vector<Variable> parameters;
  const Token opening = lexer.peek();
  lexer.expect('(', "before the parameters");
  if (lexer.accept(')')) return parameters;
  do {
    const Token space = lexer.expect(Token::Kind::dotted, "'.param' or '.reg'");
    if (space.text != "param" && space.text != "reg") {
      fail(space, fmt::format("expected '.param' or '.reg', found {}", describe(space)));
    }
    const Variable prototype{.space = *parse_space(space.text)};
    parse_declarator(context, parse_type_spec(context), prototype, parameters);
    if (parameters.size() > kMaxParameters) {
      fail(space, fmt::format("a function has at most {} parameters", kMaxParameters));
    }
  } while (lexer.accept(','));
  lexer.expect(')', "after the parameters");

  std::unordered_set<std::string_view> names;
  for (const Variable& parameter : parameters) {
    if (parameter.name == "_" || names.insert(parameter.name).second) continue;
    fail(opening, fmt::format("two parameters are called '{}'", parameter.name));
  }
  return parameters;
}

bool replaces(const Token& name, bool old_is_definition, bool new_is_definition) {
  if (old_is_definition && new_is_definition) {
    fail(name, fmt::format("{} is defined twice", describe(name)));
  }
  return new_is_definition;
}

}  // namespace warpsim::ptx
