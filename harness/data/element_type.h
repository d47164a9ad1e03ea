#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace warpgrade {

enum class ElementType : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };

/// "f32", as written in lab.toml and in the worker's request.
[[nodiscard]] std::string_view name_of(ElementType type);
/// The type's spelling in a C++ signature: "float", "unsigned char".
[[nodiscard]] std::string_view cpp_name(ElementType type);
[[nodiscard]] std::optional<ElementType> element_type(std::string_view name);
[[nodiscard]] std::size_t size_of(ElementType type);
[[nodiscard]] bool is_float(ElementType type);

/// The ElementType of a C++ type.
template <class T>
[[nodiscard]] constexpr ElementType element_type_of() {
  if constexpr (std::is_same_v<T, std::int8_t>) return ElementType::i8;
  if constexpr (std::is_same_v<T, std::uint8_t>) return ElementType::u8;
  if constexpr (std::is_same_v<T, std::int16_t>) return ElementType::i16;
  if constexpr (std::is_same_v<T, std::uint16_t>) return ElementType::u16;
  if constexpr (std::is_same_v<T, std::int32_t>) return ElementType::i32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return ElementType::u32;
  if constexpr (std::is_same_v<T, std::int64_t>) return ElementType::i64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return ElementType::u64;
  if constexpr (std::is_same_v<T, float>) return ElementType::f32;
  static_assert(std::is_arithmetic_v<T>);
  return ElementType::f64;
}

/// Calls `visit(T{})` with a value of the C++ type of `type`.
template <class Visitor>
decltype(auto) with_type(ElementType type, Visitor&& visit) {
  switch (type) {
    case ElementType::i8:
      return visit(std::int8_t{});
    case ElementType::u8:
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
    case ElementType::f64:
      break;
  }
  return visit(double{});
}

}  // namespace warpgrade
