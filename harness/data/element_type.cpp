#include "harness/data/element_type.h"

#include <array>

namespace warpgrade {

namespace {

struct Row {
  ElementType type;
  std::string_view name;
  std::string_view cpp;
};

constexpr std::array kRows = {
    Row{.type = ElementType::i8, .name = "i8", .cpp = "signed char"},
    Row{.type = ElementType::u8, .name = "u8", .cpp = "unsigned char"},
    Row{.type = ElementType::i16, .name = "i16", .cpp = "short"},
    Row{.type = ElementType::u16, .name = "u16", .cpp = "unsigned short"},
    Row{.type = ElementType::i32, .name = "i32", .cpp = "int"},
    Row{.type = ElementType::u32, .name = "u32", .cpp = "unsigned int"},
    Row{.type = ElementType::i64, .name = "i64", .cpp = "long long"},
    Row{.type = ElementType::u64, .name = "u64", .cpp = "unsigned long long"},
    Row{.type = ElementType::f32, .name = "f32", .cpp = "float"},
    Row{.type = ElementType::f64, .name = "f64", .cpp = "double"},
    Row{.type = ElementType::f16, .name = "f16", .cpp = "__half"},
    Row{.type = ElementType::bf16, .name = "bf16", .cpp = "__nv_bfloat16"},
    Row{.type = ElementType::boolean, .name = "bool", .cpp = "bool"},
    Row{.type = ElementType::character, .name = "char", .cpp = "char"},
};

const Row& row(ElementType type) {
  return kRows.at(static_cast<std::size_t>(type));
}

}  // namespace

std::string_view name_of(ElementType type) {
  return row(type).name;
}

std::string_view cpp_name(ElementType type) {
  return row(type).cpp;
}

std::vector<std::string> element_type_names() {
  std::vector<std::string> names;
  for (const Row& candidate : kRows) names.emplace_back(candidate.name);
  return names;
}

std::optional<ElementType> element_type(std::string_view name) {
  for (const Row& candidate : kRows) {
    if (candidate.name == name) return candidate.type;
  }
  return std::nullopt;
}

std::size_t size_of(ElementType type) {
  return with_type(type, [](auto value) { return sizeof(value); });
}

bool is_float(ElementType type) {
  return with_type(type, [](auto value) { return is_float_like<decltype(value)>; });
}

}  // namespace warpgrade
