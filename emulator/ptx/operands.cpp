#include "emulator/ptx/operands.h"

#include <fmt/format.h>

#include <utility>

#include "emulator/ptx/limits.h"
#include "emulator/ptx/number.h"

namespace warpsim::ptx {
namespace {

using Kind = Operand::Kind;

constexpr std::uint64_t kWarpSizeLiteral = 32;  // WARP_SZ

/// The name joined with the selector; the two are adjacent in the text.
std::string_view join(const Token& name, const Token& selector) {
  return {name.text.data(), name.text.size() + 1 + selector.text.size()};
}

bool at_selector(const Lexer& lexer) {
  return lexer.at(Token::Kind::dotted) && lexer.peek().glued;
}

}  // namespace

int element_position(std::string_view selector) {
  if (selector.size() != 1) return -1;
  const std::size_t i = std::string_view("xyzwrgba").find(selector[0]);
  return i == std::string_view::npos ? -1 : static_cast<int>(i % 4);
}

Operand OperandParser::parse() {
  Operand operand = parse_single();
  if (lexer_.at('|')) return parse_pair(std::move(operand));
  return operand;
}

Operand OperandParser::parse_pair(Operand first) {
  const Token bar = lexer_.next();
  Operand pair{.kind = Kind::pair};
  pair.elements.reserve(2);
  pair.elements.push_back(std::move(first));
  pair.elements.push_back(parse_single());
  for (const Operand& element : pair.elements) {
    if (element.kind == Kind::reg || element.kind == Kind::sink) continue;
    fail(bar, "'|' joins two destination registers");
  }
  return pair;
}

Operand OperandParser::parse_single() {
  const Token& token = lexer_.peek();
  switch (token.kind) {
    case Token::Kind::identifier:
      return parse_name();
    case Token::Kind::number:
      return parse_number();
    case Token::Kind::punctuation:
      break;
    default:
      lexer_.fail_expected("an operand");
  }
  if (token.is('-')) return parse_number();
  if (lexer_.accept('{')) return parse_vector('}');
  if (lexer_.accept('[')) return parse_address();
  if (lexer_.accept('!')) {
    const Token name = lexer_.peek();
    Operand operand;
    if (name.is(Token::Kind::identifier)) operand = parse_name();
    if (operand.kind != Kind::reg) {
      fail(name, fmt::format("'!' needs a predicate register, found {}", describe(name)));
    }
    operand.negated = true;
    return operand;
  }
  lexer_.fail_expected("an operand");
}

Operand OperandParser::parse_vector(char close) {
  Operand vector{.kind = Kind::vector};
  if (lexer_.accept(close)) return vector;
  vector.elements.reserve(4);
  do {
    const Token token = lexer_.peek();
    if (vector.elements.size() == kMaxOperands) {
      fail(token, fmt::format("a vector has at most {} elements", kMaxOperands));
    }
    // Vectors of vectors and addresses in vectors do not exist.
    if (token.is('{') || token.is('[')) fail(token, "a vector cannot hold vectors or addresses");
    vector.elements.push_back(parse_single());
  } while (lexer_.accept(','));
  lexer_.expect(close, "after the elements of a vector");
  return vector;
}

Operand OperandParser::parse_number() {
  const bool negative = lexer_.accept('-');
  const Token token = lexer_.expect(Token::Kind::number, "a number");
  Number number = ptx::parse_number(token);
  if (negative) number = negate(number);
  return {
      .kind = Kind::immediate, .literal = number.literal, .bits = number.bits, .text = token.text};
}

Operand OperandParser::parse_name() {
  const Token name = lexer_.next();
  if (name.text == "_") return {.kind = Kind::sink};
  if (const auto symbol = scopes_.find(name.text)) {
    switch (symbol->kind) {
      case Scopes::Symbol::Kind::reg:
        return parse_register(name, *symbol);
      case Scopes::Symbol::Kind::variable:
        return {.kind = Kind::symbol,
                .variable = symbol->index,
                .offset = parse_offset(lexer_),
                .text = name.text};
      case Scopes::Symbol::Kind::list:
        return {.kind = Kind::symbol, .text = symbol->key};
    }
  }
  if (name.text[0] == '%') return parse_special(name);
  if (name.text == "WARP_SZ") {
    return {.kind = Kind::immediate, .bits = kWarpSizeLiteral, .text = name.text};
  }
  return {.kind = Kind::symbol, .offset = parse_offset(lexer_), .text = name.text};
}

Operand OperandParser::parse_register(const Token& name, const Scopes::Symbol& symbol) {
  if (symbol.width == 1) {
    if (!at_selector(lexer_)) return {.kind = Kind::reg, .reg = symbol.index, .text = name.text};
    return {.kind = Kind::selected, .reg = symbol.index, .text = lexer_.next().text};
  }
  if (!at_selector(lexer_)) {
    Operand vector{.kind = Kind::vector};
    for (std::uint32_t i = 0; i < symbol.width; ++i) {
      vector.elements.push_back({.kind = Kind::reg, .reg = symbol.index + i, .text = name.text});
    }
    return vector;
  }
  const Token selector = lexer_.next();
  const int position = element_position(selector.text);
  if (position < 0 || position >= symbol.width) {
    fail(selector, fmt::format("{} has no element {}", describe(name), describe(selector)));
  }
  return {.kind = Kind::reg,
          .reg = symbol.index + static_cast<std::uint32_t>(position),
          .text = join(name, selector)};
}

Operand OperandParser::parse_special(const Token& name) {
  const std::string_view full = at_selector(lexer_) ? join(name, lexer_.next()) : name.text;
  const std::string_view spelling = full.substr(1);
  if (!is_special_register(spelling)) {
    fail(name, fmt::format("register '{}' is not declared", full));
  }
  return {.kind = Kind::special, .text = spelling};
}

/// Called after the '['.
Operand OperandParser::parse_address() {
  const Token token = lexer_.peek();
  Operand address;
  if (token.is(Token::Kind::identifier)) address = parse_name();
  if (token.is(Token::Kind::number) || token.is('-')) address = parse_number();
  switch (address.kind) {
    case Kind::reg:
    case Kind::symbol:
      break;
    case Kind::immediate:
      if (address.literal != Operand::Literal::integer) {
        fail(token, "an address must be an integer");
      }
      address.offset = static_cast<std::int64_t>(address.bits);
      address.text = {};
      break;
    default:
      fail(token, "an address is [register], [symbol] or [number], each with an offset");
  }
  if (address.kind == Kind::reg) address.text = {};
  address.kind = Kind::address;
  const auto offset = static_cast<std::uint64_t>(address.offset);
  address.offset =
      static_cast<std::int64_t>(offset + static_cast<std::uint64_t>(parse_offset(lexer_)));
  while (lexer_.accept(',')) {
    if (address.elements.size() == kMaxOperands || lexer_.at('[')) {
      lexer_.fail_expected("']'");
    }
    address.elements.push_back(parse_single());
  }
  lexer_.expect(']', "after an address");
  return address;
}

}  // namespace warpsim::ptx
