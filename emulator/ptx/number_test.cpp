#include "emulator/ptx/number.h"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <string>

using namespace warpsim::ptx;
using Literal = Operand::Literal;

namespace {

Token token(std::string_view text) {
  return {.kind = Token::Kind::number, .text = text};
}

std::string number_error(std::string_view text) {
  try {
    (void)parse_number(token(text));
  } catch (const SyntaxError& error) {
    return error.message;
  }
  return "no error";
}

}  // namespace

TEST_CASE("integers are read in every base", "[emulator][ptx][number]") {
  const auto [text, value] = GENERATE(table<std::string, std::uint64_t>({
      {"0", 0},
      {"7", 7},
      {"7U", 7},
      {"0x1F", 31},
      {"0XfU", 15},
      {"0x7f", 127},
      {"017", 15},
      {"0b101", 5},
      {"0B11U", 3},
      {"18446744073709551615", ~std::uint64_t{0}},
      {"0xffffffffffffffff", ~std::uint64_t{0}},
  }));
  const Number number = parse_number(token(text));
  CHECK(number.literal == Literal::integer);
  CHECK(number.bits == value);
}

TEST_CASE("floating-point numbers keep their bit patterns", "[emulator][ptx][number]") {
  CHECK(parse_number(token("0f3F800000")).bits == 0x3f800000);
  CHECK(parse_number(token("0f3F800000")).literal == Literal::f32_bits);
  CHECK(parse_number(token("0F7f800001")).bits == 0x7f800001);  // a signalling NaN
  CHECK(parse_number(token("0d7FF0000000000001")).bits == 0x7ff0000000000001);
  CHECK(parse_number(token("0dBFF0000000000000")).literal == Literal::f64_bits);
  CHECK(parse_number(token("1.5")).bits == std::bit_cast<std::uint64_t>(1.5));
  CHECK(parse_number(token("1e3")).bits == std::bit_cast<std::uint64_t>(1000.0));
  CHECK(parse_number(token("2.5E-3")).literal == Literal::decimal_float);
}

TEST_CASE("a minus sign negates the value, not the digits", "[emulator][ptx][number]") {
  CHECK(negate(parse_number(token("1"))).bits == ~std::uint64_t{0});
  CHECK(negate(parse_number(token("0f3F800000"))).bits == 0xbf800000);
  CHECK(negate(parse_number(token("1.5"))).bits == std::bit_cast<std::uint64_t>(-1.5));
  CHECK(negate(parse_number(token("0d3FF0000000000000"))).bits == 0xbff0000000000000);
}

TEST_CASE("malformed numbers are errors", "[emulator][ptx][number]") {
  const auto [text, error] = GENERATE(table<std::string, std::string>({
      {"18446744073709551616", "the number '18446744073709551616' does not fit in 64 bits"},
      {"0x1ffffffffffffffff", "the number '0x1ffffffffffffffff' does not fit in 64 bits"},
      {"08", "malformed number '08'"},
      {"0x", "malformed number '0x'"},
      {"0b2", "malformed number '0b2'"},
      {"12abc", "malformed number '12abc'"},
      {"0f3F8000", "0f needs 8 hexadecimal digits, found 6"},
      {"0d3F800000", "0d needs 16 hexadecimal digits, found 8"},
      {"0f3F80000g", "malformed number '0f3F80000g'"},
      {"1e999", "the number '1e999' is outside the range of .f64"},
      {"1.5.", "malformed number '1.5.'"},
  }));
  CHECK(number_error(text) == error);
}

TEST_CASE("offsets add up and may be negative", "[emulator][ptx][number]") {
  const auto [text, offset] = GENERATE(table<std::string, std::int64_t>(
      {{"", 0}, {"+8", 8}, {"-8", -8}, {"+-8", -8}, {"-0x10+4", -12}, {"+1+2-3", 0}}));
  Lexer lexer(text);
  CHECK(parse_offset(lexer) == offset);
}
