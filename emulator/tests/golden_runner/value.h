#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/ptx/type.h"

// Values in golden files: how they are written, held and compared.

namespace warpsim::golden {

__extension__ using Bits = unsigned __int128;

/// The type of one half of a packed type; the type itself for the others.
[[nodiscard]] ptx::Type element_type(ptx::Type type);
/// 2 for packed types, else 1.
[[nodiscard]] std::size_t element_count(ptx::Type type);
/// Bytes that a value takes in a buffer; predicates take 4.
[[nodiscard]] std::size_t buffer_bytes(ptx::Type type);

/// What is allowed between a float result and its expected value. Any one limit that is met
/// suffices; without limits values must be equal.
struct Tolerance {
  double ulp = 0;
  double abs = 0;
  double rel = 0;
};

/// An expected value, by elements.
struct Expected {
  enum class Kind : std::uint8_t { bits, any, any_nan };
  struct Element {
    Kind kind = Kind::bits;
    std::uint64_t bits = 0;
  };
  Kind kind = Kind::bits;  // any: nothing is compared
  Bits bits = 0;
  std::vector<Element> elements;  // of packed types; else empty
};

/// The bits of a literal as an input: "12", "-3", "0x7f", "1.5", "inf", "nan", "low:high".
/// @throws std::runtime_error  when it is not a value of the type
[[nodiscard]] Bits parse_value(std::string_view text, ptx::Type type);
/// A literal as an output, which may also be "*".
[[nodiscard]] Expected parse_expected(std::string_view text, ptx::Type type);
/// Values in the list notation: "1 2 3", "0..31", "5*32". @throws std::runtime_error
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);

/// Whether a result is what was expected.
[[nodiscard]] bool matches(const Expected& expected, Bits got, ptx::Type type,
                           const Tolerance& tolerance);
/// "0x3f800000 (1)", for messages.
[[nodiscard]] std::string print_bits(Bits bits, ptx::Type type);
[[nodiscard]] std::string print_expected(const Expected& expected, ptx::Type type);

}  // namespace warpsim::golden
