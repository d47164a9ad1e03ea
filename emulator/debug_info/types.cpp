#include "emulator/debug_info/types.h"

#include <fmt/format.h>

#include <array>

namespace warpsim::debug {
namespace {

struct Basic {
  std::string_view name;
  Type::Kind kind;
  std::uint64_t size;
};

constexpr std::array kBasics = {
    Basic{"void", Type::Kind::nothing, 0},
    Basic{"bool", Type::Kind::boolean, 1},
    Basic{"char", Type::Kind::character, 1},
    Basic{"signed char", Type::Kind::integer, 1},
    Basic{"unsigned char", Type::Kind::natural, 1},
    Basic{"short", Type::Kind::integer, 2},
    Basic{"unsigned short", Type::Kind::natural, 2},
    Basic{"int", Type::Kind::integer, 4},
    Basic{"unsigned int", Type::Kind::natural, 4},
    Basic{"unsigned", Type::Kind::natural, 4},
    Basic{"long", Type::Kind::integer, 8},
    Basic{"unsigned long", Type::Kind::natural, 8},
    Basic{"long long", Type::Kind::integer, 8},
    Basic{"unsigned long long", Type::Kind::natural, 8},
    Basic{"size_t", Type::Kind::natural, 8},
    Basic{"float", Type::Kind::real, 4},
    Basic{"double", Type::Kind::real, 8},
};

std::string_view without_spaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Removes a word at either end. @returns whether it was there
bool strip(std::string_view& text, std::string_view word) {
  text = without_spaces(text);
  if (text.size() <= word.size()) return false;
  const bool ends = text.ends_with(word) && (word.front() == '*' || word.front() == '&' ||
                                             text[text.size() - word.size() - 1] == ' ' ||
                                             text[text.size() - word.size() - 1] == '*');
  const bool begins = text.starts_with(word) && text[word.size()] == ' ';
  if (ends) {
    text.remove_suffix(word.size());
  } else if (begins) {
    text.remove_prefix(word.size());
  }
  text = without_spaces(text);
  return ends || begins;
}

}  // namespace

Type& Types::add(Type type) {
  return all_.emplace_back(std::move(type));
}

const Type* Types::named(std::string_view name) {
  name = without_spaces(name);
  while (strip(name, "const") || strip(name, "volatile") || strip(name, "__restrict__") ||
         strip(name, "&")) {
  }
  if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
  const Type* made = nullptr;
  if (name.ends_with('*')) {
    made = pointer_to(named(name.substr(0, name.size() - 1)));
  } else {
    for (const Basic& basic : kBasics) {
      if (basic.name == name)
        made = &add({.kind = basic.kind, .name = std::string(name), .size = basic.size});
    }
    if (made == nullptr)
      made = &add({.kind = Type::Kind::structure, .name = std::string(name), .size = 0});
  }
  by_name_.emplace(std::string(name), made);
  return made;
}

const Type* Types::pointer_to(const Type* target) {
  const std::string name = target->name + "*";
  if (const auto known = by_name_.find(name);
      known != by_name_.end() && known->second->target == target) {
    return known->second;
  }
  const Type* made = &add({.kind = Type::Kind::pointer, .name = name, .size = 8, .target = target});
  by_name_.insert_or_assign(name, made);
  return made;
}

const Type* Types::array_of(const Type* element, std::uint64_t count) {
  std::string name = element->name;
  std::string inner;
  // The outer bound comes first: int[2][3] is two arrays of three.
  if (element->kind == Type::Kind::array) {
    if (const std::size_t bracket = name.find('['); bracket != name.npos) {
      inner = name.substr(bracket);
      name.resize(bracket);
    }
  }
  const std::string full = fmt::format("{}[{}]{}", name, count, inner);
  if (const auto known = by_name_.find(full);
      known != by_name_.end() && known->second->target == element) {
    return known->second;
  }
  const Type* made = &add({.kind = Type::Kind::array,
                           .name = full,
                           .size = element->size * count,
                           .target = element,
                           .count = count});
  by_name_.insert_or_assign(full, made);
  return made;
}

const Type* Types::bits(std::uint64_t bytes) {
  const std::string name = fmt::format(".b{}", bytes * 8);
  if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
  const Type* made = &add({.kind = Type::Kind::bits, .name = name, .size = bytes});
  by_name_.emplace(name, made);
  return made;
}

const Type* Types::triple() {
  if (const auto known = by_name_.find("uint3"); known != by_name_.end()) return known->second;
  const Type* part = named("unsigned int");
  const Type* made = &add({.kind = Type::Kind::structure,
                           .name = "uint3",
                           .size = 12,
                           .members = {{"x", 0, part}, {"y", 4, part}, {"z", 8, part}}});
  by_name_.emplace("uint3", made);
  return made;
}

std::vector<std::string> parameter_types(std::string_view demangled) {
  std::vector<std::string> types;
  // The last pair of brackets at the outermost level is the list.
  if (!demangled.ends_with(')')) return types;
  std::size_t open = demangled.size();
  for (int depth = 0; open-- > 0;) {
    if (demangled[open] == ')') ++depth;
    if (demangled[open] == '(' && --depth == 0) break;
  }
  if (open >= demangled.size()) return types;
  const std::string_view list = demangled.substr(open + 1, demangled.size() - open - 2);
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c != ',' || (depth != 0 && i < list.size())) continue;
    const std::string_view type = without_spaces(list.substr(start, i - start));
    if (!type.empty() && type != "void") types.emplace_back(type);
    start = i + 1;
  }
  return types;
}

}  // namespace warpsim::debug
