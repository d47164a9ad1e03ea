#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpsim::ptx {

/// A PTX fundamental or packed type as it is spelled in a dotted modifier or a declaration.
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  u16x2,
  s16x2,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f32x2,
  f64,
  e4m3,
  e5m2,
  e4m3x2,
  e5m2x2,
};

/// The type named `text` (without its dot), or nothing if it is not a type.
[[nodiscard]] std::optional<Type> parse_type(std::string_view text);

/// The spelling without the dot: "u32".
[[nodiscard]] std::string_view name(Type type);

/// Size of one value in bytes; a predicate counts as 1, `none` as 0.
[[nodiscard]] constexpr std::size_t size_bytes(Type type) {
  switch (type) {
    case Type::none:
      return 0;
    case Type::pred:
    case Type::b8:
    case Type::u8:
    case Type::s8:
    case Type::e4m3:
    case Type::e5m2:
      return 1;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16:
    case Type::e4m3x2:
    case Type::e5m2x2:
      return 2;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64:
    case Type::f32x2:
      return 8;
    case Type::b128:
      return 16;
    default:
      return 4;
  }
}

[[nodiscard]] constexpr bool is_signed(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64 ||
         type == Type::s16x2;
}

[[nodiscard]] constexpr bool is_float(Type type) {
  return type >= Type::f16;
}

/// A state space; `generic` if an instruction or address has none.
enum class Space : std::uint8_t { generic, reg, sreg, constant, global, local, param, shared };

[[nodiscard]] std::optional<Space> parse_space(std::string_view text);
[[nodiscard]] std::string_view name(Space space);

}  // namespace warpsim::ptx
