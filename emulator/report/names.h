#pragma once

#include <string>
#include <string_view>

namespace warpsim {

/// A mangled name as a person says it: no parameters, no return type, no anonymous namespaces.
/// "_ZN4demo5scaleIfEEvPT_i" is "demo::scale<float>"; what is not mangled stays as it is.
[[nodiscard]] std::string readable_name(std::string_view mangled);

}  // namespace warpsim
