#include "emulator/report/names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace warpsim {
namespace {

/// Calls `use(position, depth)` for each character from the end; depth counts (), <> and [].
template <class Use>
void scan_back(std::string_view text, Use use) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    const char c = text[i];
    if (c == ')' || c == '>' || c == ']') ++depth;
    if (c == '(' || c == '<' || c == '[') --depth;
    if (!use(i, depth)) return;
  }
}

std::string_view without_parameters(std::string_view name) {
  // A clone suffix or qualifiers of a member may follow the list.
  const auto end = name.rfind(')');
  if (end == name.npos) return name;
  std::string_view result = name;
  scan_back(name.substr(0, end + 1), [&](std::size_t i, int depth) {
    if (depth != 0 || name[i] != '(') return true;
    // "(anonymous namespace)::x" has parentheses, but no parameter list.
    if (i != 0 && !name.substr(end + 1).starts_with("::")) result = name.substr(0, i);
    return false;
  });
  return result;
}

std::string_view without_return_type(std::string_view name) {
  if (name.find("operator") != name.npos) return name;
  std::string_view result = name;
  scan_back(name, [&](std::size_t i, int depth) {
    if (depth != 0 || name[i] != ' ') return true;
    result = name.substr(i + 1);
    return false;
  });
  return result;
}

void erase_all(std::string& text, std::string_view part) {
  for (auto at = text.find(part); at != text.npos; at = text.find(part))
    text.erase(at, part.size());
}

/// nvcc's name for a translation unit's anonymous namespace.
void erase_internal_scope(std::string& text) {
  constexpr std::string_view kScope = "_INTERNAL_";
  const auto at = text.find(kScope);
  const auto end = at == text.npos ? text.npos : text.find("::", at);
  if (end != text.npos) text.erase(at, end + 2 - at);
}

}  // namespace

std::string readable_name(std::string_view mangled) {
  int status = 0;
  const std::string text(mangled);
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0) return text;
  std::string name(without_return_type(without_parameters(demangled.get())));
  erase_internal_scope(name);
  erase_all(name, "(anonymous namespace)::");
  return name;
}

}  // namespace warpsim
