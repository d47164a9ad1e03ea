#include "emulator/ptx/initializer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/ptx/limits.h"
#include "emulator/ptx/number.h"

namespace warpsim::ptx {
namespace {

using Literal = Operand::Literal;

class InitializerParser {
 public:
  InitializerParser(Context& context, const ArrayShape& shape, Variable& variable)
      : context_(context),
        lexer_(context.lexer),
        shape_(shape),
        variable_(variable),
        element_bytes_(size_bytes(shape.element)),
        unsized_(!shape.dimensions.empty() && shape.dimensions.front() == 0) {}

  void parse() {
    if (shape_.dimensions.empty()) {
      parse_element(0);
    } else {
      const Token opening = lexer_.peek();
      lexer_.expect('{', "before the initial values of an array");
      parse_level(opening, 0, 0);
    }
    if (unsized_) variable_.size_bytes = end_;
  }

 private:
  /// Bytes of one item at nesting `level`: 0 is the whole array.
  [[nodiscard]] std::uint64_t bytes_at(std::size_t level) const {
    std::uint64_t bytes = element_bytes_;
    for (std::size_t i = level; i < shape_.dimensions.size(); ++i) bytes *= shape_.dimensions[i];
    return bytes;
  }

  /// The values between braces, after the opening one, for the part of the array at `start`.
  void parse_level(const Token& opening, std::size_t level, std::uint64_t start) {
    const std::uint64_t limit = level == 0 && unsized_ ? kMaxInitialBytes : start + bytes_at(level);
    const std::uint64_t step = bytes_at(level + 1);
    std::uint64_t at = start;
    while (!lexer_.accept('}')) {
      const Token token = lexer_.peek();
      if (token.is('{')) {
        if (level + 1 == shape_.dimensions.size()) {
          fail(token, "more braces than the array has dimensions");
        }
        if ((at - start) % step != 0) fail(token, "a brace in the middle of an inner array");
        check_room(token, at, step, limit);
        lexer_.next();
        parse_level(token, level + 1, at);
        at += step;
      } else {
        if (token.is(Token::Kind::end)) fail(opening, "this '{' is never closed");
        check_room(token, at, element_bytes_, limit);
        parse_element(at);
        at += element_bytes_;
      }
      end_ = std::max(end_, at);
      if (!lexer_.accept(',') && !lexer_.at('}')) {
        lexer_.fail_expected("',' or '}' after an initial value");
      }
    }
  }

  static void check_room(const Token& token, std::uint64_t at, std::uint64_t bytes,
                         std::uint64_t limit) {
    if (at + bytes > limit) fail(token, "more initial values than the array has elements");
  }

  void parse_element(std::uint64_t at) {
    const Token token = lexer_.peek();
    if (token.is(Token::Kind::identifier)) {
      parse_address(token, at);
      return;
    }
    const bool negative = lexer_.accept('-');
    const Token digits = lexer_.expect(Token::Kind::number, "an initial value");
    Number number = parse_number(digits);
    if (lexer_.at('(') && !negative && number.literal == Literal::integer) {
      parse_masked_address(digits, number.bits, at);
      return;
    }
    if (negative) number = negate(number);
    store(token, at, encode(token, number));
  }

  /// The element's bit pattern for a number.
  [[nodiscard]] std::uint64_t encode(const Token& token, const Number& number) const {
    const Type type = shape_.element;
    if (number.literal == Literal::integer) {
      if (is_float(type) && number.bits != 0) {
        fail(token,
             fmt::format("an initial value of .{} must be a floating-point number", name(type)));
      }
      return number.bits;
    }
    const double value = number.literal == Literal::f32_bits
                             ? double{std::bit_cast<float>(static_cast<std::uint32_t>(number.bits))}
                             : std::bit_cast<double>(number.bits);
    const bool plain = number.literal != Literal::decimal_float;
    if (type == Type::f32) {
      // Not by way of double, which would quieten a signalling NaN.
      if (number.literal == Literal::f32_bits) return number.bits;
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    }
    if (type == Type::f64) return std::bit_cast<std::uint64_t>(value);
    if (plain && type == Type::b32 && number.literal == Literal::f32_bits) return number.bits;
    if (plain && type == Type::b64 && number.literal == Literal::f64_bits) return number.bits;
    fail(token, fmt::format("a floating-point number cannot initialise .{}", name(type)));
  }

  void store(const Token& token, std::uint64_t at, std::uint64_t bits) {
    const std::uint64_t end = at + element_bytes_;
    if (end > variable_.initial.size()) {
      context_.initial_bytes += end - variable_.initial.size();
      if (context_.initial_bytes > kMaxInitialBytes) {
        fail(token, fmt::format("the initial values of this module need more than {} bytes",
                                kMaxInitialBytes));
      }
      variable_.initial.resize(end);
    }
    // .b128 has a literal of 64 bits: its upper half stays zero.
    std::memcpy(variable_.initial.data() + at, &bits, std::min(element_bytes_, sizeof(bits)));
  }

  /// `sym`, `sym+8`, `generic(sym)`, `generic(sym)+8`.
  Relocation parse_symbol() {
    Relocation relocation;
    Token symbol = lexer_.expect(Token::Kind::identifier, "the name of a variable or function");
    if (symbol.text == "generic" && lexer_.accept('(')) {
      relocation.generic = true;
      symbol = lexer_.expect(Token::Kind::identifier, "the name of a variable");
      parse_addend(relocation);
      lexer_.expect(')', "after the name in generic()");
    }
    relocation.symbol = symbol.text;
    parse_addend(relocation);
    return relocation;
  }

  void parse_addend(Relocation& relocation) {
    const auto before = static_cast<std::uint64_t>(relocation.addend);
    const auto more = static_cast<std::uint64_t>(parse_offset(lexer_));
    relocation.addend = static_cast<std::int64_t>(before + more);
  }

  void parse_address(const Token& token, std::uint64_t at) {
    Relocation relocation = parse_symbol();
    if (element_bytes_ != 4 && element_bytes_ != 8) {
      fail(token, fmt::format("an address does not fit in .{}", name(shape_.element)));
    }
    relocation.offset = at;
    relocation.size = static_cast<std::uint32_t>(element_bytes_);
    store(token, at, 0);
    variable_.relocations.push_back(relocation);
  }

  /// `0xFF00(sym)`: the compiler spells an address inside a byte array as its bytes from the
  /// lowest up; they are joined to one relocation.
  void parse_masked_address(const Token& mask, std::uint64_t bits, std::uint64_t at) {
    lexer_.expect('(');
    Relocation relocation = parse_symbol();
    lexer_.expect(')', "after the name of a masked address");
    if (element_bytes_ != 1) fail(mask, "a masked address needs an array of bytes");
    store(mask, at, 0);
    auto& relocations = variable_.relocations;
    if (bits == 0xff) {
      relocation.offset = at;
      relocation.size = 1;
      relocations.push_back(relocation);
      return;
    }
    Relocation* last = relocations.empty() ? nullptr : &relocations.back();
    const bool continues = last != nullptr && last->size < 8 && last->offset + last->size == at &&
                           bits == std::uint64_t{0xff} << (8 * last->size) &&
                           last->symbol == relocation.symbol && last->addend == relocation.addend &&
                           last->generic == relocation.generic;
    if (!continues) {
      fail(mask, fmt::format("mask {} does not continue the bytes of an address from 0xFF up",
                             mask.text));
    }
    ++last->size;
  }

  Context& context_;
  Lexer& lexer_;
  const ArrayShape& shape_;
  Variable& variable_;
  std::uint64_t element_bytes_;
  bool unsized_;
  std::uint64_t end_ = 0;  // after the last element given
};

}  // namespace

void parse_initializer(Context& context, const ArrayShape& shape, Variable& variable) {
  InitializerParser(context, shape, variable).parse();
}

}  // namespace warpsim::ptx
