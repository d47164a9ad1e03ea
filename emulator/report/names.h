#pragma once

#include <string>
#include <string_view>

namespace warpsim {

/// A short demangled name: no parameters, no return type, no anonymous namespaces.
/// "_ZN4demo5scaleIfEEvPT_i" is "demo::scale<float>"; other names are unchanged.
[[nodiscard]] std::string readable_name(std::string_view mangled);

}  // namespace warpsim
