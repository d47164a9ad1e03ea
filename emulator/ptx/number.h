#pragma once

#include <cstdint>

#include "emulator/ptx/lexer.h"
#include "emulator/ptx/module.h"

namespace warpsim::ptx {

struct Number {
  Operand::Literal literal = Operand::Literal::integer;
  std::uint64_t bits = 0;  // the integer, or the float's bit pattern (decimal: of the double)
};

/// The value of a number token: decimal, 0x hexadecimal, 0 octal, 0b binary (each with an optional
/// U), 0f and 0d bit patterns, decimal floats.
/// @throws SyntaxError  for malformed numbers and integers beyond 64 bits
[[nodiscard]] Number parse_number(const Token& token);

/// The number with a minus sign before it.
[[nodiscard]] Number negate(Number number);

/// Reads a number token that must be a plain integer in [0, max].
/// @param what  its name in a message: "the array size"
[[nodiscard]] std::uint64_t expect_integer(Lexer& lexer, std::string_view what, std::uint64_t max);

/// Reads `+8`, `-8`, `+-8`, also several in a row; 0 when there is none. Wraps at 64 bits.
[[nodiscard]] std::int64_t parse_offset(Lexer& lexer);

}  // namespace warpsim::ptx
