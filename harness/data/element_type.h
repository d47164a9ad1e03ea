#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "harness/data/small_float.h"

namespace warpgrade {

enum class ElementType : std::uint8_t {
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  f32,
  f64,
  f16,  // CUDA's __half
  bf16,  // CUDA's __nv_bfloat16
  boolean,  // "bool": one byte, 0 or 1
  character,  // "char": text
};

/// "f32", as written in lab.toml and in the worker's request.
[[nodiscard]] std::string_view name_of(ElementType type);
/// All names, in the order of the enumeration.
[[nodiscard]] std::vector<std::string> element_type_names();
/// The type's spelling in a C++ signature: "float", "unsigned char".
[[nodiscard]] std::string_view cpp_name(ElementType type);
[[nodiscard]] std::optional<ElementType> element_type(std::string_view name);
[[nodiscard]] std::size_t size_of(ElementType type);
[[nodiscard]] bool is_float(ElementType type);

/// Whether T is a floating-point type, of C++ or of this library.
template <class T>
inline constexpr bool is_float_like =
    std::is_floating_point_v<T> || std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>;

/// The ElementType of a C++ type.
template <class T>
[[nodiscard]] constexpr ElementType element_type_of() {
  if constexpr (std::is_same_v<T, bool>) return ElementType::boolean;
  if constexpr (std::is_same_v<T, char>) return ElementType::character;
  if constexpr (std::is_same_v<T, std::int8_t>) return ElementType::i8;
  if constexpr (std::is_same_v<T, std::uint8_t>) return ElementType::u8;
  if constexpr (std::is_same_v<T, std::int16_t>) return ElementType::i16;
  if constexpr (std::is_same_v<T, std::uint16_t>) return ElementType::u16;
  if constexpr (std::is_same_v<T, std::int32_t>) return ElementType::i32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return ElementType::u32;
  if constexpr (std::is_same_v<T, std::int64_t>) return ElementType::i64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return ElementType::u64;
  if constexpr (std::is_same_v<T, float>) return ElementType::f32;
  if constexpr (std::is_same_v<T, Float16>) return ElementType::f16;
  if constexpr (std::is_same_v<T, BFloat16>) return ElementType::bf16;
  static_assert(is_float_like<T> || std::is_integral_v<T>);
  return ElementType::f64;
}

/// Calls `visit(T{})` with a value of the C++ type of `type`. A boolean is visited as its byte,
/// which a program may have set to any value, and a character as a signed one.
template <class Visitor>
decltype(auto) with_type(ElementType type, Visitor&& visit) {
  switch (type) {
    case ElementType::i8:
    case ElementType::character:
      return visit(std::int8_t{});
    case ElementType::u8:
    case ElementType::boolean:
      return visit(std::uint8_t{});
    case ElementType::i16:
      return visit(std::int16_t{});
    case ElementType::u16:
      return visit(std::uint16_t{});
    case ElementType::i32:
      return visit(std::int32_t{});
    case ElementType::u32:
      return visit(std::uint32_t{});
    case ElementType::i64:
      return visit(std::int64_t{});
    case ElementType::u64:
      return visit(std::uint64_t{});
    case ElementType::f32:
      return visit(float{});
    case ElementType::f16:
      return visit(Float16{});
    case ElementType::bf16:
      return visit(BFloat16{});
    case ElementType::f64:
      break;
  }
  return visit(double{});
}

}  // namespace warpgrade
